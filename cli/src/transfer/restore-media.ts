import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../exit-code.js';
import { patiently } from '../importers/moving/patient.js';
import type { Session } from '../session/session.js';
import { EXPORT, type MediaLine } from './export-format.js';
import { linesOfFile } from '../lines/lines.js';
import type { RestoreLog } from './restore-log.js';
import type { RestoreReport } from './restore-report.js';

/** An uploaded file may have many megabytes. */
const UPLOAD_MS = 10 * 60_000;

/** The new URLs of media files, by the paths of the old ones. */
export class RestoredFiles {
  private readonly urls = new Map<string, string>();

  add(before: string, after: string): void {
    if (before !== after) this.urls.set(pathOf(before), after);
  }

  /** The value with the new URLs, also inside texts. */
  rewrite<Value>(value: Value): Value {
    if (this.urls.size === 0) return value;
    if (typeof value === 'string') return this.rewriteText(value) as Value;
    if (Array.isArray(value)) return value.map((one: unknown) => this.rewrite(one)) as Value;
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, this.rewrite(one as unknown)]),
    ) as Value;
  }

  /** A file is at `/media/{tenant}/{file}`, with the URL of the service before it or not. */
  private rewriteText(text: string): string {
    if (!text.includes('/media/')) return text;
    return text.replace(/(?:https?:\/\/[^\s"'<>()/]+)?(?:\/[\w-]+)*\/media\/ten_[a-z0-9]+\/[\w.-]+/g, (url) => {
      return this.urls.get(pathOf(url)) ?? url;
    });
  }
}

function pathOf(url: string): string {
  return url.slice(url.lastIndexOf('/media/'));
}

/** Uploads the files that are not there. A file is there if a restore has uploaded it before, or if it has the same ID, or looks the same. */
export async function restoreMedia(
  session: Session,
  folder: string,
  { log, report }: { log: RestoreLog; report: RestoreReport },
): Promise<RestoredFiles> {
  const { trivet, output, signal } = session;
  const files = new RestoredFiles();
  const progress = output.progress('Media');
  let count = 0;
  for await (const media of linesOfFile<MediaLine>(join(folder, EXPORT.media))) {
    const path = join(folder, EXPORT.mediaFile(media.id));
    const known = await urlOf(session, media, log.media.get(media.id));
    if (known !== undefined) {
      files.add(media.url, known);
      report.skip('media files');
    } else {
      const content = await fileOf(path, media.mime_type);
      const body = new FormData();
      body.append('file', content, media.filename);
      if (media.alt) body.append('alt', media.alt);
      const { data } = await patiently(signal, () => {
        return trivet.request('uploadMedia', { body, signal, timeout: UPLOAD_MS });
      });
      await log.uploaded(media.id, data.id);
      files.add(media.url, data.url);
      report.add('media files');
    }
    progress.at(++count);
  }
  progress.end();
  return files;
}

/** The content of a file of the export, which is read when it is sent. */
export async function fileOf(path: string, type: string): Promise<Blob> {
  try {
    return await openAsBlob(path, { type });
  } catch {
    throw new UsageError(`${path} is missing.`);
  }
}

/** The URL of a file that is in the tenant: the one that was uploaded before, or with the same ID, or with the same name, size and type. */
async function urlOf(
  { trivet, signal }: Session,
  media: MediaLine,
  uploaded: string | undefined,
): Promise<string | undefined> {
  for (const id of uploaded === undefined ? [media.id] : [uploaded, media.id]) {
    const found = await trivet
      .request('getMedia', { path: { media_id: id }, signal })
      .then(({ data }) => data.url)
      .catch((error: unknown) => {
        if ((error as { status?: number }).status === 404) return undefined;
        throw error;
      });
    if (found !== undefined) return found;
  }
  const { data } = await trivet.request('listMedia', { query: { search: media.filename, per_page: 100 }, signal });
  return data.find(({ filename, size, mime_type: type, alt }) => {
    return filename === media.filename && size === media.size && type === media.mime_type && alt === media.alt;
  })?.url;
}
