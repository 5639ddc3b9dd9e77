import { openAsBlob } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Session } from '../session/session.js';
import { EXPORT, type MediaLine } from './export-format.js';
import { linesOfFile } from '../lines/lines.js';
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

/** Uploads the files that are not there. A file is there if this restore has uploaded it before, or if it has the same ID. */
export async function restoreMedia(session: Session, folder: string, report: RestoreReport): Promise<RestoredFiles> {
  const { trivet, output, tenant, signal } = session;
  const files = new RestoredFiles();
  // Survives an interruption, so that no file is uploaded twice.
  const log = join(folder, `restored-${tenant}.ndjson`);
  const uploaded = new Map<string, string>();
  for await (const { id, url } of linesOfFile<{ id: string; url: string }>(log)) uploaded.set(id, url);
  const progress = output.progress('Media');
  let count = 0;
  for await (const media of linesOfFile<MediaLine>(join(folder, EXPORT.media))) {
    const known = uploaded.get(media.id) ?? (await urlOf(session, media));
    if (known !== undefined) {
      files.add(media.url, known);
      report.skip('media files');
    } else {
      const content = await openAsBlob(join(folder, EXPORT.mediaFile(media.id)), { type: media.mime_type });
      const body = new FormData();
      body.append('file', content, media.filename);
      if (media.alt) body.append('alt', media.alt);
      const { data } = await trivet.request('uploadMedia', { body, signal, timeout: UPLOAD_MS });
      await appendFile(log, `${JSON.stringify({ id: media.id, url: data.url })}\n`);
      files.add(media.url, data.url);
      report.add('media files');
    }
    progress.at(++count);
  }
  progress.end();
  return files;
}

/** The URL of a file that is in the tenant: with the same ID, or with the same name, size and type. */
async function urlOf({ trivet, signal }: Session, media: MediaLine): Promise<string | undefined> {
  const byId = await trivet
    .request('getMedia', { path: { media_id: media.id }, signal })
    .then(({ data }) => data.url)
    .catch((error: unknown) => {
      if ((error as { status?: number }).status === 404) return undefined;
      throw error;
    });
  if (byId !== undefined) return byId;
  const { data } = await trivet.request('listMedia', { query: { search: media.filename, per_page: 100 }, signal });
  return data.find(({ filename, size, mime_type: type, alt }) => {
    return filename === media.filename && size === media.size && type === media.mime_type && alt === media.alt;
  })?.url;
}
