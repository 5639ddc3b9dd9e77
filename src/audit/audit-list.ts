import { firstUuidOf } from '../ids/type-id.js';
import { columnCondition, type ComparedColumn } from '../lists/conditions/column-condition.js';
import { type ListQuery, NEWEST_FIRST } from '../lists/engine/list-query.js';
import { columnsOf, type ListTable } from '../lists/engine/list-table.js';

/** A record as it is stored. */
export interface AuditRow {
  id: string;
  actorId: string;
  actorName: string;
  action: string;
  resourceType: string;
  resourceId: string;
  changes: string | null;
  requestId: string;
  ip: string | null;
  via: string | null;
}

/** Which records a list has. IDs are public; `from` and `to` are included. */
export interface AuditFilter {
  actor: string | undefined;
  action: string | undefined;
  resource: string | undefined;
  from: Date | undefined;
  to: Date | undefined;
}

export const AUDIT_TABLE: ListTable = {
  name: 'audit_records',
  id: 'id',
  columns: columnsOf({
    actorId: 'actor_id',
    actorName: 'actor_name',
    action: 'action',
    resourceType: 'resource_type',
    resourceId: 'resource_id',
    changes: 'changes',
    requestId: 'request_id',
    ip: 'ip',
    via: 'via',
  }),
};

const ID: ComparedColumn = { name: 'id', type: 'uuid' };

/**
 * The records, newest first. Each single filter is the beginning of an index in this order. Several are tested along one of these. The time of
 * a record is in its ID.
 */
export function auditQuery({ actor, action, resource, from, to }: AuditFilter): ListQuery {
  const equal = { actor_id: actor, action, resource_id: resource };
  const conditions = Object.entries(equal).flatMap(([name, value]) =>
    value === undefined ? [] : columnCondition({ column: { name, type: 'text' }, operator: '=', values: [value] }),
  );
  if (from) conditions.push(columnCondition({ column: ID, operator: '>=', values: [firstUuidOf(from)] }));
  const end = to && firstUuidOf(new Date(to.getTime() + 1));
  if (end) conditions.push(columnCondition({ column: ID, operator: '<', values: [end] }));
  return { conditions, sort: NEWEST_FIRST };
}
