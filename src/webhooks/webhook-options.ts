import type { Caller } from '../http/caller.js';
import { Injectable } from '@nestjs/common';
import type { Executor } from '../database/database.js';
import { statement } from '../database/statement.js';
import type { ValueError } from '../errors/problem.js';
import { parseIdOrSlug } from '../ids/id-or-slug.js';
import { formatId } from '../ids/type-id.js';
import type { WebhookFilters, WebhookFiltersDto } from './webhook-filters.js';
import { keepHidden } from './webhook-headers.js';
import { WebhookSecrets } from './webhook-secrets.js';
import type { Webhook } from './webhook.entity.js';
import type { WebhookOptionsInput } from './webhooks.dto.js';

type Options = Pick<
  Webhook,
  'description' | 'headerNames' | 'headers' | 'filters' | 'payload' | 'maxConcurrency' | 'ordered'
>;

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

/** The options of a webhook that has none. */
export const NO_OPTIONS: Options = {
  description: null,
  headerNames: null,
  headers: null,
  filters: null,
  payload: null,
  maxConcurrency: null,
  ordered: null,
};

/** Turns the options of a request into columns. */
@Injectable()
export class WebhookOptions {
  constructor(private readonly secrets: WebhookSecrets) {}

  /**
   * Returns the columns that the request changes, and its errors. A webhook that moves to another origin loses its headers unless they are
   * sent again with their values.
   */
  async columns(
    executor: Executor,
    before: Webhook,
    {
      url = before.url,
      description,
      headers,
      filters,
      payload,
      ordered,
      max_concurrency: maxConcurrency,
    }: WebhookOptionsInput & { url?: string },
    { visibleTypes }: Pick<Caller, 'visibleTypes'>,
  ): Promise<{ columns: Partial<Options>; errors: ValueError[] }> {
    const columns: Partial<Options> = {};
    const errors: ValueError[] = [];
    if (description !== undefined) columns.description = description;
    if (payload !== undefined) columns.payload = payload;
    if (ordered !== undefined) columns.ordered = ordered;
    if (maxConcurrency !== undefined) columns.maxConcurrency = maxConcurrency;
    const isMoved = new URL(url).origin !== new URL(before.url).origin;
    if (headers) {
      const kept = keepHidden(headers, isMoved ? undefined : this.secrets.readHeaders(before));
      errors.push(...kept.errors);
      columns.headerNames = Object.keys(kept.headers);
      columns.headers = this.secrets.encryptHeaders(before, kept.headers);
    } else if (headers === null || isMoved) {
      Object.assign(columns, { headerNames: null, headers: null });
    }
    if (filters === null) columns.filters = null;
    if (filters) {
      const found = await findNamed(executor, before.tenantId, filters, visibleTypes);
      errors.push(...found.errors);
      columns.filters = found.filters;
    }
    return { columns, errors };
  }
}

/** Replaces the names of content types and forms with their UUIDs. */
async function findNamed(
  executor: Executor,
  tenantId: string,
  { content_types, forms, status, changed }: WebhookFiltersDto,
  visibleTypes: ReadonlySet<string> | undefined,
): Promise<{ filters: WebhookFilters; errors: ValueError[] }> {
  const types = await idsOf(executor, tenantId, content_types, {
    kind: 'content_types',
    prefix: 'ct',
    noun: 'content type',
    visible: visibleTypes,
  });
  const chosen = await idsOf(executor, tenantId, forms, { kind: 'forms', prefix: 'frm', noun: 'form' });
  return {
    filters: {
      ...(content_types && { contentTypes: types.ids }),
      ...(forms && { forms: chosen.ids }),
      ...(status && { status }),
      ...(changed && { changed }),
    },
    errors: [...types.errors, ...chosen.errors],
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
