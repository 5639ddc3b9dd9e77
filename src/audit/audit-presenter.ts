import { formatId, timeOf } from '../ids/type-id.js';
import type { AuditRow } from './audit-list.js';
import type { AuditRecordDto } from './audit.dto.js';

export function presentRecord({
  id,
  keyId,
  keyName,
  action,
  changes,
  requestId,
  ip,
  ...row
}: AuditRow): AuditRecordDto {
  return {
    id: formatId('aud', id),
    at: timeOf(id).toISOString(),
    actor: { key_id: keyId, name: keyName },
    action,
    resource: { type: row.resourceType, id: row.resourceId },
    changes: changes === null ? [] : changes.split(','),
    request_id: requestId,
    ...(ip !== null && { ip }),
  };
}
