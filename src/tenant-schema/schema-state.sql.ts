import { type NoParameters, statement } from '../database/statements/statement.js';

/** The bytes of all definitions, and the largest number of items of a kind. */
export const SIZE_OF_SCHEMA = statement<NoParameters, { bytes: number; most: number }>()(
  'tenant_schema.size',
  `SELECT coalesce(t.bytes, 0) + coalesce(f.bytes, 0) AS bytes, greatest(t.items, f.items, w.items)::int AS most
   FROM (SELECT count(*) AS items, sum(octet_length(fields::text))::float8 AS bytes FROM content_types WHERE tenant_id = :tenantId) t,
     (SELECT count(*) AS items, sum(octet_length(fields::text) + octet_length(coalesce(settings::text, '')))::float8 AS bytes
       FROM forms WHERE tenant_id = :tenantId) f,
     (SELECT count(*) AS items FROM webhooks WHERE tenant_id = :tenantId) w`,
);
