import { Logger } from '@nestjs/common';
import type { Database } from '../database/database.js';

/** Tenants whose failures the log names. */
const NAMED = 10;

const logger = new Logger('PeriodicTask');

export interface TenantWork {
  /** Names the work in the log. */
  name: string;
  database: Pick<Database, 'isRestricted'>;
  isStopping?: () => boolean;
}

/**
 * Runs periodic work for one tenant after the other. A failure concerns its tenant alone: the others go on, and one line of the log has the
 * first error. Leaves out tenants whose statements are not answered, because the others would wait for each of these.
 */
export async function forEachTenant(
  { name, database, isStopping = () => false }: TenantWork,
  tenantIds: Iterable<string>,
  task: (tenantId: string) => Promise<void>,
): Promise<void> {
  const failed: string[] = [];
  let first: unknown;
  for (const tenantId of tenantIds) {
    if (isStopping()) break;
    if (database.isRestricted(tenantId)) continue;
    try {
      await task(tenantId);
    } catch (error) {
      first ??= error;
      failed.push(tenantId);
    }
  }
  if (failed.length === 0) return;
  logger.warn(
    { err: first, work: name, tenants: failed.length, tenant_ids: failed.slice(0, NAMED) },
    'Periodic work failed for some tenants; the next round tries again',
  );
}
