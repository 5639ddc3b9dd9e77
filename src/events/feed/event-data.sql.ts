import { ifSmaller, LARGE_BYTES } from '../../lists/large-json.js';

/** The common parts of the statements that read the data of events. `e` is a row of `events`, and `v` its version. */

/** Joins the version to which the event `e` refers, as `v`. */
export const JOIN_VERSION = `LEFT JOIN LATERAL (
      SELECT data FROM versions WHERE tenant_id = :tenantId AND resource_id = e.resource_id AND number = e.version LIMIT 1
    ) AS v ON true` as const;

/** The data of the event as JSON text. */
export const EVENT_DATA = 'coalesce(e.data::text, v.data)';

/** The data if it has fewer than `bytes` bytes, otherwise null. */
export function dataIfSmaller<const Bytes extends string>(bytes: Bytes) {
  return `CASE WHEN e.data IS NULL THEN ${ifSmaller('v.data', bytes)} ELSE ${ifSmaller('e.data', bytes)}::text END` as const;
}

export const DATA_UNLESS_LARGE = dataIfSmaller(`${LARGE_BYTES}`);

/** Whether the event was erased (`EventErasure`). The size comes first, because large data would have to be read. */
export function isErased<const Alias extends string>(alias: Alias) {
  return `CASE WHEN pg_column_size(${alias}.data) < 16 THEN ${alias}.data::text = 'null' ELSE false END` as const;
}
