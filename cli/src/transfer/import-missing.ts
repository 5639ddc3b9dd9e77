import { join } from 'node:path';
import { importStream, type LineProblem } from '../importers/lines/import-stream.js';
import { patiently } from '../importers/moving/patient.js';
import { inGroups, linesOfFile } from '../lines/lines.js';
import type { Session } from '../session/session.js';
import { EXPORT, type EntryLine } from './export-format.js';
import type { Restoring } from './restore-entries.js';

/** IDs that are looked up at once. */
const GROUP = 100;
/** The service answers in order, and no connection holds more lines than these. */
const IN_FLIGHT = 500_000;

/** Why an entry was refused. It has `paths` if only references are missing: where they are. */
export interface Refusal {
  readonly why: string;
  readonly paths?: readonly (readonly string[])[];
}

/** By the ID of the entry. */
export type Refusals = Map<string, Refusal>;

export interface Imported {
  readonly created: number;
  readonly refused: Refusals;
}

export function lacksReference({ paths }: Refusal): boolean {
  return paths !== undefined;
}

/** Imports the entries of a content type that are not in the tenant; of those in `before`, which were refused, if it is given. */
export async function importMissing(
  session: Session,
  restoring: Restoring,
  slug: string,
  before?: Refusals,
): Promise<Imported> {
  const { report } = restoring;
  const isFirst = before === undefined;
  let existing = 0;
  const missing = async function* (entries: AsyncIterable<EntryLine[]>): AsyncGenerator<EntryLine[]> {
    for await (const group of entries) {
      const known = isFirst ? await existingIds(session, slug, group) : new Set<string>();
      existing += known.size;
      yield group.filter(({ id }) => !known.has(id) && before?.has(id) !== false);
    }
  };
  const imported = await importLines(session, restoring, slug, (entries) => {
    existing = 0;
    return missing(entries);
  });
  report.add('entries', imported.created);
  if (isFirst) report.skip('entries', existing);
  return imported;
}

/**
 * Streams what `chosen` makes of the entries of a content type, in groups. It may be called again: a stream that breaks is sent again, and what has been
 * imported stays, because entries have their IDs.
 */
export async function importLines(
  session: Session,
  { folder, files }: Restoring,
  slug: string,
  chosen: (entries: AsyncIterable<EntryLine[]>) => AsyncIterable<EntryLine[]>,
): Promise<Imported> {
  const progress = session.output.progress(`Entries of ${slug}`);
  const attempt = async (): Promise<Imported> => {
    const refused: Refusals = new Map();
    const sent = new Map<number, string>();
    const body = async function* () {
      const encoder = new TextEncoder();
      let line = 0;
      const lines = linesOfFile<EntryLine>(join(folder, EXPORT.entries(slug)));
      for await (const group of chosen(inGroups(lines, GROUP))) {
        for (const { id } of group) sent.set(++line, id);
        for (const old of sent.keys()) {
          if (old > line - IN_FLIGHT) break;
          sent.delete(old);
        }
        progress.at(line);
        // An empty line, so that the service does not take a long search for a client that is gone.
        if (group.length === 0) line++;
        yield encoder.encode(
          group.length === 0 ? '\n' : group.map((entry) => `${JSON.stringify(files.rewrite(entry))}\n`).join(''),
        );
      }
    };
    const request = {
      type: slug,
      contentType: 'application/x-ndjson',
      query: { keep_ids: true },
      body: ReadableStream.from<Uint8Array>(body()),
    } as const;
    const { created } = await importStream(session, request, ({ line, problem }) => {
      refused.set(sent.get(line) ?? `in line ${line}`, refusalOf(problem));
    });
    return { created, refused };
  };
  return patiently(session.signal, attempt, { isRepeatable: true }).finally(() => progress.end());
}

function refusalOf({ errors = [], detail = 'It was refused.' }: LineProblem['problem']): Refusal {
  const why = errors.map(({ message }) => message).join(' ') || detail;
  const isLacking = errors.length > 0 && errors.every(({ code }) => code === 'reference');
  return { why, ...(isLacking && { paths: errors.map(({ path }) => path.split('.')) }) };
}

async function existingIds(
  { trivet, signal }: Session,
  slug: string,
  entries: readonly EntryLine[],
): Promise<Set<string>> {
  const where = JSON.stringify({ id: { in: entries.map(({ id }) => id) } });
  const query = { where, select: '', per_page: GROUP };
  const { data } = await trivet.request('listEntries', { path: { content_type_id: slug }, query, signal });
  return new Set(data.map(({ id }) => id));
}
