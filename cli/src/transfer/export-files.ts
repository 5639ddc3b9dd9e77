import { join } from 'node:path';
import { TrivetError } from '@trivet/client';
import type { Contract } from '@trivet/client/request';
import type { Session } from '../session/session.js';
import { download } from './download.js';
import { EXPORT, PER_PAGE } from './export-format.js';
import type { ListFiles } from './list-file.js';

/** Writes the submissions of a form, and downloads their files. Returns the number of submissions. */
export async function writeSubmissions(
  session: Session,
  folder: string,
  files: ListFiles,
  slug: string,
): Promise<number> {
  const { trivet, output, signal } = session;
  const progress = output.progress(`Submissions of ${slug}`);
  const { data: form } = await trivet.request('getForm', { path: { form_id: slug }, signal });
  const query = { per_page: PER_PAGE, sort: 'created_at', verdict: 'any', view: 'full' } as const;
  return files
    .write(
      EXPORT.submissions(slug),
      (cursor) =>
        trivet.request('listSubmissions', { path: { form_id: form.id }, query: { ...query, cursor }, signal }),
      async ({ form_id: formId, files: all = [], ...submission }: Contract.ListedSubmission) => {
        const kept = [];
        for (const file of all) {
          const path = { form_id: formId, submission_id: submission.id, file_id: file.id };
          const place = join(folder, EXPORT.submissionFile(file.id));
          const wanted = { path: place, size: file.size, what: `The file ${file.id}`, signal };
          const ask = () => trivet.request('getSubmissionFile', { path, signal, timeout: 0 });
          if (await isThere(download(wanted, ask))) kept.push(file);
        }
        return { ...submission, files: kept };
      },
      (count) => progress.at(count),
    )
    .finally(() => progress.end());
}

/** Writes the media files and what the service says about them. Returns their number. */
export async function writeMedia(session: Session, folder: string, files: ListFiles): Promise<number> {
  const { trivet, output, signal } = session;
  const progress = output.progress('Media');
  return files
    .write(
      EXPORT.media,
      (cursor) => trivet.request('listMedia', { query: { cursor, per_page: PER_PAGE }, signal }),
      async (media: Contract.Media) => {
        const { id, url, size } = media;
        const file = decodeURIComponent(url.slice(url.lastIndexOf('/') + 1).replace(/\?.*$/, ''));
        const wanted = { path: join(folder, EXPORT.mediaFile(id)), size, what: `The media file ${id}`, signal };
        const ask = () => trivet.request('getMediaFile', { path: { file }, signal, timeout: 0 });
        return (await isThere(download(wanted, ask))) ? media : undefined;
      },
      (count) => progress.at(count),
    )
    .finally(() => progress.end());
}

/** Returns false for a file that was deleted after it was listed. */
async function isThere(downloaded: Promise<void>): Promise<boolean> {
  try {
    await downloaded;
    return true;
  } catch (error) {
    if (error instanceof TrivetError && error.status === 404) return false;
    throw error;
  }
}
