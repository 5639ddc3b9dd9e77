import { isMember } from '../access/member-names.js';
import { formatId, timeOf } from '../ids/type-id.js';
import type { AuditRow } from './audit-list.js';
import type { AuditRecordDto } from './audit.dto.js';

export function presentRecord({
  id,
  actorId,
  actorName,
  action,
  changes,
  requestId,
  ip,
  via,
  ...row
}: AuditRow): AuditRecordDto {
  return {
    id: formatId('aud', id),
    at: timeOf(id).toISOString(),
    actor: presentActor(actorId, actorName),
    action,
    resource: { type: row.resourceType, id: row.resourceId },
    changes: changes === null ? [] : changes.split(','),
    request_id: requestId,
    ...(ip !== null && { ip }),
    ...(via !== null && { via }),
  };
}

function presentActor(id: string, name: string): AuditRecordDto['actor'] {
  return isMember(id) ? { user_id: id, name } : { key_id: id, name };
}
