import type { Executor } from '../../database/transaction.js';
import { statement } from '../../database/statements/statement.js';
import { parseId } from '../../ids/type-id.js';
import { HEAD } from '../deliveries/thin-payload.js';
import type { EventFacts, WebhookFilters } from '../options/webhook-filters.js';

/** The data of an event about an entry ends with `locales_changed` (`eventDataOf`). So many characters have it with the codes of all locales. */
const TAIL = 2_048;

interface FactsRow {
  id: string;
  type: string;
  head: string;
  summary: string | null;
  tail: string | null;
}

/**
 * The data of an entry's version has its status and changes in its summary, so that the values need not be read. Only the end of the data has the
 * locales. A deletion, whose data is that of the last change, concerns all of them.
 */
const FACTS = statement<{ eventIds: readonly string[]; withLocales: boolean }, FactsRow>()(
  'webhooks.event_facts',
  `SELECT e.id, e.type, left(coalesce(e.data::text, v.data), ${HEAD}) AS head, v.summary,
      CASE WHEN :withLocales::boolean AND e.type LIKE 'entry.%' AND e.type <> 'entry.deleted' THEN right(coalesce(e.data::text, v.data), ${TAIL}) END AS tail
    FROM unnest(:eventIds::uuid[]) AS one (id) CROSS JOIN LATERAL (
      SELECT id, type, data, resource_id, version FROM events WHERE tenant_id = :tenantId AND id = one.id LIMIT 1
    ) AS e
    LEFT JOIN LATERAL (
      SELECT data, summary FROM versions WHERE tenant_id = :tenantId AND resource_id = e.resource_id AND number = e.version LIMIT 1
    ) AS v ON true`,
);

/** The content type or form near the beginning of the data (`presentEntry`, `presentSchedule`, `presentSubmission`). */
const PARENT = /^\{"(?:id|entry_id)":"[^"]+","(content_type_id|form_id)":"([^"]+)"/;

/** The public ID of the resource. */
const RESOURCE = /^\{"id":"([^"]+)"/;

/** At the end of the data. In a value, the quotes would be escaped. */
const LOCALES = /,"locales_changed":(\[[^\]]*\])\}$/;

/** Reads what filters and ordered webhooks look at, for each of the events. */
export async function readFacts(
  executor: Executor,
  tenantId: string,
  eventIds: readonly string[],
  filters: readonly (WebhookFilters | null | undefined)[],
): Promise<ReadonlyMap<string, EventFacts>> {
  const withLocales = filters.some((one) => one?.locales !== undefined);
  const rows = await executor.query(tenantId, FACTS, { eventIds, withLocales });
  return new Map(rows.map((row) => [row.id, factsOf(row)]));
}

function factsOf({ type, head, summary, tail }: FactsRow): EventFacts {
  const locales = LOCALES.exec(tail ?? '')?.[1];
  const resource = RESOURCE.exec(head)?.[1];
  const [, kind, id = ''] = PARENT.exec(head) ?? [];
  const { status, changed } = JSON.parse(summary ?? '{}') as { status?: string; changed?: readonly string[] };
  return {
    resource,
    contentTypeId: parseId('ct', (kind === 'content_type_id' ? id : resource) ?? ''),
    formId: parseId('frm', (kind === 'form_id' ? id : resource) ?? ''),
    status,
    changed: type === 'entry.updated' ? changed : undefined,
    locales: locales === undefined ? undefined : (JSON.parse(locales) as string[]),
  };
}
