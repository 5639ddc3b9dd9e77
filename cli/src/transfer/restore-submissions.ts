import { join } from 'node:path';
import type { Session } from '../session/session.js';
import { EXPORT } from './export-format.js';
import type { RestoreReport } from './restore-report.js';

/** TODO */
export async function restoreSubmissions(
  session: Session,
  folder: string,
  slug: string,
  report: RestoreReport,
): Promise<void> {
  await Promise.resolve([session, join(folder, EXPORT.submissions(slug)), report]);
}
