import { openAsBlob } from 'node:fs';
import { TrivetError } from '@trivet/client';
import { linesOf, parsedLine } from '../../lines/lines.js';
import type { Session } from '../../session/session.js';
import { type Names, underNames } from './load-schema.js';
import { Links } from './links.js';
import { type FileDraft, FILES, type Reading } from './model.js';
import { patiently } from './patient.js';
import { type Known, type KnownFile, resolved } from './resolve.js';
import { UnclaimedFiles } from './unclaimed-files.js';
import { type ImportLine, writeLines } from './write-lines.js';

/** Files that are stored at the same time. */
const AT_ONCE = 4;
/** After this many new files, or this many files, their entries are written: a run that is killed loses no more. */
const BATCH = { stored: 20, files: 500 };
const UPLOAD_MS = 600_000;
const ANSWER = 'The answer of the service';

export interface StoredFiles {
  files: ReadonlyMap<string, KnownFile>;
  links: Links;
  counts: { stored: number; kept: number; failed: number };
}

interface FileContext {
  idOf: (key: string) => string;
  /** Whether no run has stored files before. */
  isFirst: boolean;
  /** When the first run began. */
  since: string;
  names: Names | undefined;
}

/** Stores the files that the tenant does not have yet, and writes the entries that stand for them. */
export async function loadFiles(
  session: Session,
  reading: Reading,
  { idOf, isFirst, since, names }: FileContext,
): Promise<StoredFiles> {
  const { report, spool } = reading;
  const entries = isFirst
    ? new Map<string, KnownFile>()
    : await storedFiles(session, reading.fileType.slug, names?.get('file') ?? 'file');
  const unclaimed = new UnclaimedFiles(session, since, new Set([...entries.values()].map(({ id }) => id)));
  const files = new Map<string, KnownFile>();
  const links = new Links();
  const counts = { stored: 0, kept: 0, failed: 0 };
  const progress = session.output.progress('Files');

  const store = async (draft: FileDraft): Promise<void> => {
    const own = entries.get(idOf(draft.key));
    try {
      const file = own ?? (isFirst ? undefined : await unclaimed.take(draft)) ?? (await upload(session, draft));
      files.set(draft.key, file);
      for (const url of [draft.url, ...(draft.urls ?? [])]) if (url !== undefined) links.add(url, file.url);
      counts[own ? 'kept' : 'stored']++;
    } catch (error) {
      if (!(error instanceof TrivetError) || error.status < 400 || error.status === 401 || error.status >= 500)
        throw error;
      counts.failed++;
      const [first] = error.errors;
      report.add('A file could not be stored.', `${draft.url ?? draft.filename}: ${first?.message ?? error.message}`);
    }
  };
  const flush = async (drafts: readonly FileDraft[]): Promise<void> => {
    const queue = [...drafts];
    const work = async () => {
      for (let draft = queue.shift(); draft; draft = queue.shift()) {
        session.signal.throwIfAborted();
        await store(draft);
        progress.at(counts.stored + counts.kept + counts.failed);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    await writeEntries(session, reading, drafts, { idOf, files, names });
  };

  let batch: FileDraft[] = [];
  let fresh = 0;
  for await (const draft of spool.values<FileDraft>(FILES)) {
    batch.push(draft);
    if (!entries.has(idOf(draft.key))) fresh++;
    if (fresh < BATCH.stored && batch.length < BATCH.files) continue;
    await flush(batch);
    [batch, fresh] = [[], 0];
  }
  if (batch.length > 0) await flush(batch);
  progress.end();
  return { files, links, counts };
}

/** The files that entries of earlier runs have, by the IDs of the entries. */
async function storedFiles({ trivet, signal }: Session, slug: string, name: string): Promise<Map<string, KnownFile>> {
  const query = { select: name } as never;
  const response = await trivet.request('exportEntries', {
    path: { content_type_id: slug },
    query,
    signal,
    timeout: 0,
  });
  const found = new Map<string, KnownFile>();
  if (!response.body) return found;
  for await (const line of linesOf(response.body, ANSWER, Error)) {
    const { id, fields } = parsedLine<{ id: string; fields: Record<string, { url: string; alt: string }> }>(
      line,
      ANSWER,
      Error,
    );
    const { url, alt } = fields[name] ?? {};
    const media = /\/(med_[0-9a-z]{26})\./.exec(url ?? '')?.[1];
    if (media !== undefined) found.set(id, { id: media, url: url!, alt: alt ?? '' });
  }
  return found;
}

async function upload({ trivet, signal }: Session, { url, path, filename, alt }: FileDraft): Promise<KnownFile> {
  const send = (body: unknown, headers?: Record<string, string>) =>
    patiently(signal, async () => {
      const input = { body, headers, signal, timeout: UPLOAD_MS } as never;
      const { data } = (await trivet.request('uploadMedia', input)) as unknown as { data: KnownFile };
      return { id: data.id, url: data.url, alt };
    });
  if (path !== undefined) {
    const form = new FormData();
    form.append('file', await openAsBlob(path), filename);
    form.append('alt', alt);
    return send(form);
  }
  const fetched = (from: string) => send({ url: from, alt });
  const plain = url ?? '';
  if (!plain.startsWith('http:')) return fetched(plain);
  try {
    // The service fetches over https only, except in development.
    return await fetched(plain.replace(/^http:/, 'https:'));
  } catch (error) {
    if (!(error instanceof TrivetError) || error.status !== 422) throw error;
    return fetched(plain).catch(() => Promise.reject(error));
  }
}

async function writeEntries(
  session: Session,
  { fileType, report, typeOf }: Reading,
  drafts: readonly FileDraft[],
  { idOf, files, names }: Pick<FileContext, 'idOf' | 'names'> & { files: ReadonlyMap<string, KnownFile> },
): Promise<void> {
  const known: Known = {
    idOf: (key) => (typeOf.has(key) ? idOf(key) : undefined),
    fileOf: (key) => files.get(key),
    urlOf: () => undefined,
  };
  const isLocalized = fileType.fields.some(({ localized }) => localized);
  function* lines(): Generator<ImportLine> {
    for (const { key, fields } of drafts) {
      const file = files.get(key);
      const values = { ...fields, ...(file && { file: { id: file.id, alt: file.alt } }) };
      const own = underNames(names, resolved(values, known, () => undefined) as Record<string, unknown>);
      const line = { id: idOf(key), fields: own, status: 'published' };
      yield { key, line: { ...line, ...(isLocalized && { locale: '*' }) } };
    }
  }
  await writeLines(session, fileType.slug, lines, (key, why) =>
    report.add('The entry of a file was refused.', `${key}: ${why}`),
  );
}
