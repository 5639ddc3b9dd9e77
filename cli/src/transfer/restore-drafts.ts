import { join } from 'node:path';
import { TrivetError } from '@trivet/client';
import type { Session } from '../session/session.js';
import { type DraftLine, EXPORT } from './export-format.js';
import { linesOfFile } from '../lines/lines.js';
import type { RestoredFiles } from './restore-media.js';
import type { RestoreReport } from './restore-report.js';

/** Saves the drafts of entries that have none. */
export async function restoreDrafts(
  session: Session,
  folder: string,
  { files, report }: { files: RestoredFiles; report: RestoreReport },
): Promise<void> {
  const progress = session.output.progress('Drafts');
  let count = 0;
  for await (const draft of linesOfFile<DraftLine>(join(folder, EXPORT.drafts))) {
    await restoreDraft(session, files.rewrite(draft), report);
    progress.at(++count);
  }
  progress.end();
}

async function restoreDraft(
  { trivet, signal }: Session,
  { id, content_type: slug, values, locale }: DraftLine,
  report: RestoreReport,
): Promise<void> {
  try {
    await trivet.request('saveDraft', {
      path: { content_type_id: slug, entry_id: id },
      query: { locale },
      headers: { 'If-None-Match': '*' },
      body: { fields: values },
      signal,
    });
    report.add('drafts');
  } catch (error) {
    if (!(error instanceof TrivetError) || error.status === 0 || error.status >= 500) throw error;
    if (error.status === 412) return report.skip('drafts');
    report.fail(`the draft of ${slug} ${id}: ${error.errors.map(({ message }) => message).join(' ') || error.message}`);
  }
}
