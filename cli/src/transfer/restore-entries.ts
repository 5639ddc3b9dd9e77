import { join } from 'node:path';
import type { Contract } from '@trivet/client/request';
import { importStream, type LineProblem } from '../importers/lines/import-stream.js';
import type { Session } from '../session/session.js';
import { EXPORT, type EntryLine } from './export-format.js';
import { inGroups, linesOfFile } from '../lines/lines.js';
import { completeEntry, importBare, reportRefusal } from './restore-circles.js';
import type { RestoredFiles } from './restore-media.js';
import type { RestoreReport } from './restore-report.js';

/** IDs that are looked up at once. */
const GROUP = 100;
/** A chain of references inside a type may need a round for each link, if later entries come first. */
const MAX_ROUNDS = 20;

type Type = Contract.SchemaType;
interface Definition {
  readonly type: string;
  readonly content_type?: string;
  readonly content_types?: readonly string[];
  readonly fields?: readonly Definition[];
  readonly blocks?: readonly { readonly fields: readonly Definition[] }[];
}

interface Restoring {
  readonly types: readonly Type[];
  readonly files: RestoredFiles;
  readonly report: RestoreReport;
}

/** What was not imported in a round. */
export interface RefusedEntry {
  readonly entry: EntryLine;
  readonly problem: LineProblem['problem'];
}

/**
 * Imports the entries of all content types with their IDs. An entry whose references are not there yet is tried again when others are; those that
 * refer to each other in a circle come first without these references, and get them afterwards.
 */
export async function restoreEntries(session: Session, folder: string, restoring: Restoring): Promise<void> {
  const { report } = restoring;
  let types = referredFirst(restoring.types);
  const incomplete: { slug: string; entry: EntryLine }[] = [];
  let isFirst = true;
  for (;;) {
    const refused = await restoreInRounds(session, folder, { ...restoring, types }, isFirst);
    isFirst = false;
    types = types.filter((type) => refused.get(type)?.some(({ problem }) => lacksReference(problem)));
    const broken = await breakCircle(session, types, refused);
    report.add('entries', broken.length);
    incomplete.push(...broken);
    if (broken.length > 0) continue;
    for (const [{ slug }, all] of refused) for (const one of all) reportRefusal(slug, one, report);
    break;
  }
  for (const { slug, entry } of incomplete) await completeEntry(session, slug, entry, report);
}

/** Imports without their missing references the waiting entries of the first type of which some can be. Returns these. */
async function breakCircle(
  session: Session,
  types: readonly Type[],
  refused: ReadonlyMap<Type, readonly RefusedEntry[]>,
): Promise<{ slug: string; entry: EntryLine }[]> {
  for (const type of types) {
    const waiting = (refused.get(type) ?? []).filter(({ problem }) => lacksReference(problem));
    const { slug } = type;
    const imported = await importBare(session, slug, waiting);
    if (imported.length > 0) return imported.map((entry) => ({ slug, entry }));
  }
  return [];
}

/** Imports as long as there is progress. Returns what was refused in the end. */
async function restoreInRounds(
  session: Session,
  folder: string,
  { types: all, files, report }: Restoring,
  isFirst: boolean,
): Promise<Map<Type, RefusedEntry[]>> {
  const refused = new Map<Type, RefusedEntry[]>();
  let types = all;
  for (let round = 1; round <= MAX_ROUNDS && types.length > 0; round++) {
    let created = 0;
    for (const type of types) {
      const result = await restoreType(session, folder, type, { files, report, isFirst: isFirst && round === 1 });
      created += result.created;
      refused.delete(type);
      if (result.refused.length > 0) refused.set(type, result.refused);
    }
    if (created === 0) break;
    types = types.filter((type) => refused.get(type)?.some(({ problem }) => lacksReference(problem)));
  }
  return refused;
}

function lacksReference({ errors = [] }: LineProblem['problem']): boolean {
  return errors.length > 0 && errors.every(({ code }) => code === 'reference');
}

async function restoreType(
  session: Session,
  folder: string,
  { slug }: Type,
  { files, report, isFirst }: { files: RestoredFiles; report: RestoreReport; isFirst: boolean },
): Promise<{ created: number; refused: RefusedEntry[] }> {
  const progress = session.output.progress(`Entries of ${slug}`);
  /** The entries that were sent and of which it is not known yet whether they are refused: the service answers in order. */
  const sent = new Map<number, EntryLine>();
  const refused: RefusedEntry[] = [];
  let line = 0;
  async function* missing(): AsyncGenerator<Uint8Array> {
    const encoder = new TextEncoder();
    for await (const group of inGroups(linesOfFile<EntryLine>(join(folder, EXPORT.entries(slug))), GROUP)) {
      const existing = await existingIds(session, slug, group);
      if (isFirst) report.skip('entries', existing.size);
      const lines = group.filter(({ id }) => !existing.has(id)).map((entry) => files.rewrite(entry));
      for (const entry of lines) sent.set(++line, entry);
      forget(sent, line);
      progress.at(line);
      if (lines.length > 0) yield encoder.encode(lines.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    }
  }
  try {
    const body = ReadableStream.from<Uint8Array>(missing());
    const query = { keep_ids: true } as const;
    const counts = await importStream(
      session,
      { type: slug, contentType: 'application/x-ndjson', query, body },
      (one) => {
        const entry = sent.get(one.line);
        if (entry) refused.push({ entry, problem: one.problem });
      },
    );
    report.add('entries', counts.created);
    return { created: counts.created, refused };
  } finally {
    progress.end();
  }
}

/** Lines that the service has read long ago are either imported or refused: so the memory stays flat. */
function forget(sent: Map<number, EntryLine>, line: number): void {
  const KEPT = 20_000;
  for (const number of sent.keys()) {
    if (number > line - KEPT) return;
    sent.delete(number);
  }
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

/** Content types in an order in which references lead back, as far as there is one. */
function referredFirst(types: readonly Type[]): Type[] {
  const ordered: Type[] = [];
  let left = [...types];
  while (left.length > 0) {
    const slugs = new Set(left.map(({ slug }) => slug));
    const free = left.filter(({ slug, fields }) => {
      return !namedIn(fields).some((name) => name !== slug && slugs.has(name));
    });
    if (free.length === 0) return [...ordered, ...left];
    ordered.push(...free);
    left = left.filter((type) => !free.includes(type));
  }
  return ordered;
}

function namedIn(fields: readonly Definition[]): string[] {
  return fields.flatMap(({ content_type: one, content_types: several = [], fields: inner = [], blocks = [] }) => [
    ...(one === undefined ? several : [one]),
    ...namedIn(inner),
    ...blocks.flatMap((block) => namedIn(block.fields)),
  ]);
}
