import { Bindings, type Composed } from '../database/bindings.js';
import { firstUuidOf } from '../ids/type-id.js';

/** A record as it is stored. */
export interface AuditRow {
  id: string;
  keyId: string;
  keyName: string;
  action: string;
  resourceType: string;
  resourceId: string;
  changes: string | null;
  requestId: string;
  ip: string | null;
}

/** Which records a list has. IDs are public; `from` and `to` are included. */
export interface AuditFilter {
  actor: string | undefined;
  action: string | undefined;
  resource: string | undefined;
  from: Date | undefined;
  to: Date | undefined;
}

/**
 * A page of records, newest first. `after` is the ID of the last record before the page. Each single filter is the beginning of an index in
 * this order. Several are tested along one of these.
 */
export function pageOfRecords(
  { actor, action, resource, from, to }: AuditFilter,
  { after, limit }: { after: string | undefined; limit: number },
): Composed {
  const bindings = new Bindings();
  const conditions = ['tenant_id = $1'];
  if (actor !== undefined) conditions.push(`key_id = ${bindings.add(actor)}`);
  if (action !== undefined) conditions.push(`action = ${bindings.add(action)}`);
  if (resource !== undefined) conditions.push(`resource_id = ${bindings.add(resource)}`);
  if (from) conditions.push(`id >= ${bindings.add(firstUuidOf(from))}`);
  if (to) conditions.push(`id < ${bindings.add(firstUuidOf(new Date(to.getTime() + 1)))}`);
  if (after !== undefined) conditions.push(`id < ${bindings.add(after)}`);
  const text = `SELECT id, key_id AS "keyId", key_name AS "keyName", action, resource_type AS "resourceType", resource_id AS "resourceId", changes,
      request_id AS "requestId", ip
    FROM audit_records WHERE ${conditions.join(' AND ')} ORDER BY id DESC LIMIT ${bindings.add(limit)}`;
  return { text, values: bindings.values };
}
