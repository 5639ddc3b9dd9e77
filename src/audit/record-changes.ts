import { isMember } from '../access/member-names.js';
import type { Executor } from '../database/transaction.js';
import { insert, write } from '../database/statements/write.js';
import type { Author } from '../http/caller.js';
import { newUuid } from '../ids/type-id.js';

/** A change for the audit log. It holds names only: never a value, never a secret. */
export interface AuditedAction {
  /** `created`, `updated`, `deleted`, or the verb of the operation in the past tense. */
  action: string;
  /** The resource that was changed: its type as in the types of its events (`entry`), and its public ID. */
  resource: { type: string; id: string };
  /** The names of the properties or fields that were changed, without commas. None for a creation or a deletion. */
  changes?: readonly string[];
}

/** The parameter of `recordChange`: the parts of the record in the order of its columns; null records nothing. */
export interface AuditParameter {
  audit: readonly (string | null)[] | null;
}

/** Returns the parameter of `recordChange`. A change that was not made over the API has no record. */
export function auditOf(
  { actorId = '', name = '', requestId, ip = null, via = null }: Author,
  { action, resource, changes }: AuditedAction,
): AuditParameter['audit'] {
  if (requestId === undefined) return null;
  return [
    newUuid(),
    actorId,
    storedName(actorId, name),
    action,
    resource.type,
    resource.id,
    namesOf(changes),
    requestId,
    ip,
    via,
  ];
}

const COLUMNS =
  '(tenant_id, id, actor_id, actor_name, action, resource_type, resource_id, changes, request_id, ip, via)';

/**
 * The part of a write that records the change. `source` is the part that has one row if the change happened. The write takes
 * `AuditParameter`.
 */
export function recordChange<const Source extends string>(source: Source) {
  return insert(
    'audited',
    `INSERT INTO audit_records ${COLUMNS}
      SELECT :tenantId, (:audit::text[])[1]::uuid, (:audit::text[])[2], (:audit::text[])[3], (:audit::text[])[4], (:audit::text[])[5],
      (:audit::text[])[6], (:audit::text[])[7], (:audit::text[])[8], (:audit::text[])[9], (:audit::text[])[10]
      FROM ${source}
      WHERE :audit::text[] IS NOT NULL`,
  );
}

interface NewRecords {
  ids: readonly string[];
  actions: readonly string[];
  types: readonly string[];
  resourceIds: readonly string[];
  changes: readonly (string | null)[];
  actorId: string;
  actorName: string;
  requestId: string;
  ip: string | null;
  via: string | null;
}

const RECORD = write<NewRecords, never>()('audit.record', [
  insert(
    'recorded',
    `INSERT INTO audit_records ${COLUMNS}
      SELECT :tenantId, r.id, :actorId, :actorName, r.action, r.type, r.resource_id, r.changes, :requestId, :ip, :via
      FROM unnest(:ids::uuid[], :actions::text[], :types::text[], :resourceIds::text[], :changes::text[]) AS r (id, action, type, resource_id, changes)`,
  ),
]);

/** Records of one statement. */
const BATCH = 1_000;

/**
 * Records changes in the transaction that makes them. A change of one write uses the part `recordChange` instead. Changes that were not made over the API have no records.
 */
export async function recordChanges(
  transaction: Executor,
  tenantId: string,
  { actorId = '', name = '', requestId, ip = null, via = null }: Author,
  changed: readonly AuditedAction[],
): Promise<void> {
  if (requestId === undefined) return;
  for (let at = 0; at < changed.length; at += BATCH) {
    const batch = changed.slice(at, at + BATCH);
    await transaction.query(tenantId, RECORD, {
      ids: batch.map(() => newUuid()),
      actions: batch.map(({ action }) => action),
      types: batch.map(({ resource }) => resource.type),
      resourceIds: batch.map(({ resource }) => resource.id),
      changes: batch.map(({ changes }) => namesOf(changes)),
      actorId,
      actorName: storedName(actorId, name),
      requestId,
      ip,
      via,
    });
  }
}

/** The name of a person is that of today (`MemberNames`). */
function storedName(actorId: string, name: string): string {
  return isMember(actorId) ? '' : name;
}

function namesOf(changes: readonly string[] = []): string | null {
  return changes.length === 0 ? null : changes.join(',');
}
