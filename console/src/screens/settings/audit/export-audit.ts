import { type AuditFilter, type AuditRecord, listAudit } from '../../../api/audit';
import { saveFile } from '../../../api/save-file';
import { csvOf } from '../../../lists/csv';
import { countedAs } from '../../../parts/numbers';
import { startWork, type WorkHandle } from '../../../work/work';

const COLUMNS = ['at', 'actor', 'actor_id', 'action', 'resource', 'resource_id', 'changes', 'request_id', 'ip'];
const PER_PAGE = 100;

/** Reads the list to its end, and saves it as CSV. */
export function exportAudit(tenantId: string, filter: AuditFilter): void {
  startWork({
    tenantId,
    title: 'Export the audit log',
    run: async (handle) => {
      const rows = await readAll(tenantId, filter, handle);
      saveFile(new Blob([csvOf([COLUMNS, ...rows])], { type: 'text/csv' }), `audit-${tenantId}.csv`);
      return { said: `${countedAs(rows.length, 'record')} exported.` };
    },
  });
}

async function readAll(tenantId: string, filter: AuditFilter, { signal, progress }: WorkHandle): Promise<string[][]> {
  const rows: string[][] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { data, meta } = await listAudit(tenantId, filter, { cursor, perPage: PER_PAGE, signal });
    rows.push(...data.map(rowOf));
    progress(undefined, countedAs(rows.length, 'record'));
    cursor = meta.next_cursor;
  }
  return rows;
}

function rowOf({ at, actor, action, resource, changes, request_id: requestId, ip = '' }: AuditRecord): string[] {
  const actorId = actor.user_id ?? actor.key_id ?? '';
  return [at, actor.name, actorId, action, resource.type, resource.id, changes.join(' '), requestId, ip];
}
