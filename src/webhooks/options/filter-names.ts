import { unknownCodes } from '../../content/locales/known-codes.js';
import { localesOf } from '../../content/locales/tenant-locales.js';
import type { Executor } from '../../database/transaction.js';
import { statement } from '../../database/statements/statement.js';
import type { ValueError } from '../../errors/problem.js';
import { parseIdOrSlug } from '../../ids/id-or-slug.js';
import { formatId } from '../../ids/type-id.js';
import type { WebhookFilters, WebhookFiltersDto } from './webhook-filters.js';

interface Named {
  ids: readonly string[];
  slugs: readonly string[];
}

const NAMED = 'x.tenant_id = :tenantId AND (x.id = ANY (:ids::uuid[]) OR x.slug = ANY (:slugs::text[]))';

const FIND = {
  content_types: statement<Named, { id: string; slug: string }>()(
    'webhooks.content_types',
    `SELECT x.id, x.slug FROM content_types x WHERE ${NAMED}`,
  ),
  forms: statement<Named, { id: string; slug: string }>()(
    'webhooks.forms',
    `SELECT x.id, x.slug FROM forms x WHERE ${NAMED}`,
  ),
};

/** Replaces the names of content types and forms with their UUIDs. Reports those, and locales, that the tenant does not have. */
export async function findNamed(
  executor: Executor,
  tenantId: string,
  { content_types, forms, status, changed, locales }: WebhookFiltersDto,
  visibleTypes: ReadonlySet<string> | undefined,
): Promise<{ filters: WebhookFilters; errors: ValueError[] }> {
  const types = await idsOf(executor, tenantId, content_types, {
    kind: 'content_types',
    prefix: 'ct',
    noun: 'content type',
    visible: visibleTypes,
  });
  const chosen = await idsOf(executor, tenantId, forms, { kind: 'forms', prefix: 'frm', noun: 'form' });
  const unknown = locales ? unknownCodes(locales, await localesOf(executor, tenantId), 'filters.locales') : [];
  return {
    filters: {
      ...(content_types && { contentTypes: types.ids }),
      ...(forms && { forms: chosen.ids }),
      ...(status && { status }),
      ...(changed && { changed }),
      ...(locales && { locales: [...new Set(locales)] }),
    },
    errors: [...types.errors, ...chosen.errors, ...unknown],
  };
}

async function idsOf(
  executor: Executor,
  tenantId: string,
  names: readonly string[] | undefined,
  named: { kind: keyof typeof FIND; prefix: 'ct' | 'frm'; noun: string; visible?: ReadonlySet<string> },
): Promise<{ ids: string[]; errors: ValueError[] }> {
  if (!names) return { ids: [], errors: [] };
  const { kind, prefix, noun, visible } = named;
  const parsed = names.map((name) => parseIdOrSlug(prefix, name));
  const rows = await executor.query(tenantId, FIND[kind], {
    ids: parsed.flatMap((name) => name?.id ?? []),
    slugs: parsed.flatMap((name) => name?.slug ?? []),
  });
  // What the key does not see does not exist for it.
  const seen = rows.filter(({ id }) => visible?.has(id) ?? true);
  const known = new Map(seen.flatMap(({ id, slug }) => [[formatId(prefix, id), id] as const, [slug, id] as const]));
  const errors = names.flatMap((name, index): ValueError[] =>
    known.has(name)
      ? []
      : [{ path: `filters.${kind}.${index}`, code: 'reference', message: `There is no such ${noun}.` }],
  );
  return { ids: [...new Set(names.flatMap((name) => known.get(name) ?? []))], errors };
}
