import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { TrivetError } from '@trivet/client';
import { importSubmissionStream } from '../importers/lines/import-stream.js';
import { patiently } from '../importers/moving/patient.js';
import { linesOf, parsedLine } from '../lines/lines.js';
import type { Session } from '../session/session.js';
import { EXPORT, type SubmissionLine } from './export-format.js';
import { fileOf } from './restore-media.js';
import type { RestoreReport } from './restore-report.js';

interface Form {
  readonly id: string;
  readonly slug: string;
  /** The file with the submissions. */
  readonly file: string;
}

/**
 * Imports the submissions of a form with their IDs, times and files. Those that are there stay. A submission whose files are refused comes back without
 * them.
 */
export async function restoreSubmissions(
  session: Session,
  folder: string,
  slug: string,
  report: RestoreReport,
): Promise<void> {
  const file = join(folder, EXPORT.submissions(slug));
  if (!existsSync(file)) return;
  const { trivet, output, signal } = session;
  const { data } = await trivet.request('getForm', { path: { form_id: slug }, signal });
  const form = { id: data.id, slug, file };
  const progress = output.progress(`Submissions of ${slug}`);
  try {
    const sent = new Set<string>();
    let count = 0;
    for await (const [line, submission] of submissionsIn(file)) {
      if (!submission.files?.length) continue;
      if (await restoreWithFiles(session, folder, form, { line, submission, report })) sent.add(submission.id);
      progress.at(++count);
    }
    await restoreOthers(session, form, { sent, report, wrote: (done) => progress.at(done) });
  } finally {
    progress.end();
  }
}

/** Returns false if the files are refused. */
async function restoreWithFiles(
  session: Session,
  folder: string,
  { id: formId, slug }: Form,
  { line, submission, report }: { line: string; submission: SubmissionLine; report: RestoreReport },
): Promise<boolean> {
  const { id, files = [] } = submission;
  if (await isThere(session, formId, id)) {
    report.skip('submissions');
    return true;
  }
  const body = new FormData();
  body.append('submission', line);
  for (const { id: fileId, field, name, mime_type: type } of files)
    body.append(field, await fileOf(join(folder, EXPORT.submissionFile(fileId)), type), name);
  try {
    const attempt = () => importSubmissionStream(session, formId, body, () => undefined);
    const { created } = await patiently(session.signal, attempt, { isRepeatable: true });
    report.add('submissions', created);
    report.skip('submissions', 1 - created);
    report.add('files of submissions', created * files.length);
    return true;
  } catch (error) {
    if (!(error instanceof TrivetError) || (error.status !== 422 && error.status !== 413)) throw error;
    const why = error.errors.map(({ message }) => message).join(' ') || error.message;
    report.fail(`${files.length} files of the submission ${id} of ${slug}: ${why}`);
    return false;
  }
}

async function isThere({ trivet, signal }: Session, formId: string, id: string): Promise<boolean> {
  const path = { form_id: formId, submission_id: id };
  return trivet.request('getSubmission', { path, signal }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof TrivetError && error.status === 404) return false;
      throw error;
    },
  );
}

interface Others {
  /** The IDs of those that were imported with their files. */
  readonly sent: ReadonlySet<string>;
  readonly report: RestoreReport;
  readonly wrote: (count: number) => void;
}

/** Streams the submissions without files. */
async function restoreOthers(
  session: Session,
  { id, slug, file }: Form,
  { sent, report, wrote }: Others,
): Promise<void> {
  const attempt = async () => {
    const problems: string[] = [];
    const body = async function* () {
      const encoder = new TextEncoder();
      let count = 0;
      let text = '';
      for await (const [line, submission] of submissionsIn(file)) {
        // An empty line, so that the lines have the numbers of those in the file.
        text += sent.has(submission.id) ? '\n' : `${line}\n`;
        wrote(++count);
        if (text.length < CHUNK) continue;
        yield encoder.encode(text);
        text = '';
      }
      if (text !== '') yield encoder.encode(text);
    };
    const stream = ReadableStream.from<Uint8Array>(body());
    const counts = await importSubmissionStream(session, id, stream, ({ line, problem }) => {
      const { errors = [], detail = 'It was refused.' } = problem;
      problems.push(
        `the submission in line ${line} of ${slug}: ${errors.map(({ message }) => message).join(' ') || detail}`,
      );
    });
    return { counts, problems };
  };
  const { counts, problems } = await patiently(session.signal, attempt, { isRepeatable: true });
  for (const problem of problems) report.fail(problem);
  report.add('submissions', counts.created);
  report.skip('submissions', counts.unchanged);
}

/** Characters that are sent at once, about. */
const CHUNK = 64 * 1024;

/** The submissions of a file, each with its line. */
async function* submissionsIn(file: string): AsyncGenerator<[line: string, submission: SubmissionLine]> {
  for await (const line of linesOf(createReadStream(file), file)) yield [line, parsedLine<SubmissionLine>(line, file)];
}
