import type { TestDatabase } from './database.js';

/** Moves what is due of the tenant, and the times of its schedules, to the past, as if the workers had not run until now. */
export function makeSchedulesDue(database: TestDatabase, tenantId: string, seconds = 60): Promise<unknown> {
  return database.query(
    `WITH moved AS (UPDATE scheduled_jobs SET next_at = now() - $2 * interval '1 second', due_at = now() - $2 * interval '1 second'
        WHERE tenant_id = $1)
      UPDATE entry_schedules SET publish_at = (publish_at AT TIME ZONE 'UTC' - interval '2 hours') AT TIME ZONE 'UTC',
        unpublish_at = (unpublish_at AT TIME ZONE 'UTC' - interval '2 hours') AT TIME ZONE 'UTC'
      WHERE tenant_id = $1`,
    [tenantId, seconds],
  );
}
