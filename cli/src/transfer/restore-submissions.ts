import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { importSubmissionStream } from '../importers/lines/import-stream.js';
import type { Session } from '../session/session.js';
import { EXPORT } from './export-format.js';
import type { RestoreReport } from './restore-report.js';

/** Imports the submissions of a form with their IDs and times. Those that are there stay. */
export async function restoreSubmissions(
  session: Session,
  folder: string,
  slug: string,
  report: RestoreReport,
): Promise<void> {
  const file = join(folder, EXPORT.submissions(slug));
  if (!existsSync(file)) return;
  const { trivet, output, signal } = session;
  const { data: form } = await trivet.request('getForm', { path: { form_id: slug }, signal });
  const progress = output.progress(`Submissions of ${slug}`);
  let bytes = 0;
  const stream = createReadStream(file).on('data', (chunk) => progress.at((bytes += chunk.length)));
  const body = Readable.toWeb(stream) as ReadableStream<Uint8Array>;
  const counts = await importSubmissionStream(session, form.id, body, ({ line, problem }) => {
    const { errors = [], detail = 'It was refused.' } = problem;
    report.fail(
      `the submission in line ${line} of ${slug}: ${errors.map(({ message }) => message).join(' ') || detail}`,
    );
  }).finally(() => progress.end());
  report.add('submissions', counts.created);
  report.skip('submissions', counts.unchanged);
}
