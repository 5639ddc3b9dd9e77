import { stat } from 'node:fs/promises';
import { UsageError } from '../../exit-code.js';
import type { Output } from '../../output/output.js';
import type { Session } from '../../session/session.js';
import { entryIdOf } from './entry-ids.js';
import { loadEntries, type TypeCounts } from './load-entries.js';
import { loadFiles, type StoredFiles } from './load-files.js';
import { applyPlan, planMove, type SchemaPlan } from './load-schema.js';
import { FILES, type Reading } from './model.js';
import { Report } from './report.js';
import { Spool } from './spool.js';

export interface MoveOptions {
  dryRun?: boolean;
  source?: string;
}

/** Where an importer puts what it reads. */
export interface Place {
  spool: Spool;
  report: Report;
  signal: AbortSignal;
}

/** Reads a file, and writes what it has to the tenant; with `dryRun`, only says what would happen. */
export async function runImport(
  session: Session,
  file: string,
  { dryRun = false, source }: MoveOptions,
  read: (file: string, place: Place) => Promise<Omit<Reading, 'spool' | 'report'>>,
): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) throw new UsageError(`There is no file ${file}.`);
  await Spool.within(async (spool) => {
    const report = new Report();
    const content = await read(file, { spool, report, signal: session.signal }).catch(throwUsage);
    const reading: Reading = { ...content, ...(source !== undefined && { source }), spool, report };
    const plan = await planMove(session, reading);
    if (dryRun) return await showPlan(session.output, reading, plan);
    await write(session, reading, plan);
  });
}

/** Who reads a file expects what its program writes, and meets something else in one that is damaged or hostile. */
function throwUsage(error: unknown): never {
  if (!(error instanceof TypeError) && !(error instanceof RangeError)) throw error;
  const options = { cause: error };
  throw new UsageError(`The file has something that its program does not write: ${error.message}`, options);
}

async function write(session: Session, reading: Reading, plan: SchemaPlan): Promise<void> {
  const { output } = session;
  const { slug } = reading.fileType;
  const isFirst = plan.steps.some(({ kind, item, op }) => kind === 'content_type' && item === slug && op === 'create');
  await applyPlan(session, plan);
  const { data } = await session.trivet.request('getContentType', {
    path: { content_type_id: slug },
    signal: session.signal,
  });
  const since = data.created_at;
  const time = Date.parse(since);
  const idOf = (key: string) => entryIdOf(time, reading.source, key);
  const { files, links, counts } = await loadFiles(session, reading, {
    idOf,
    isFirst,
    since,
    names: plan.names.get(slug),
  });
  const known = { fileOf: (key: string) => files.get(key), urlOf: (url: string) => links.find(url) };
  const types = await loadEntries(session, reading, plan.names, { ...known, idOf });
  showResult(output, reading, types, counts);
}

async function showPlan(output: Output, reading: Reading, { steps }: SchemaPlan): Promise<void> {
  const { program, types, typeOf, report, spool } = reading;
  const numbers = new Map<string, number>();
  for (const slug of typeOf.values()) numbers.set(slug, (numbers.get(slug) ?? 0) + 1);
  let files = 0;
  for await (const file of spool.values(FILES)) files += file === undefined ? 0 : 1;
  const entries = types.map(({ slug }) => ({ slug, entries: numbers.get(slug) ?? 0 }));
  output.line(`This would be imported from ${program}:`);
  for (const { slug, entries: count } of entries) output.line(`  ${slug}: ${count} entries`);
  output.line(`  ${files} files`);
  output.line(`The schema would change in ${steps.length} steps:`);
  for (const { kind, item, op, field } of steps)
    output.line(`  ${op} ${kind} ${item}${field === undefined ? '' : ` ${field}`}`);
  report.print(output);
  output.json({ dry_run: true, source: reading.source, types: entries, files, steps, report: report.items });
}

function showResult(
  output: Output,
  reading: Reading,
  types: readonly TypeCounts[],
  files: StoredFiles['counts'],
): void {
  const { program, report } = reading;
  output.line(`Imported from ${program}:`);
  for (const { slug, created, updated, unchanged, failed } of types) {
    output.line(`  ${slug}: ${created} created, ${updated} updated, ${unchanged} unchanged, ${failed} refused`);
  }
  output.line(`  files: ${files.stored} stored, ${files.kept} kept, ${files.failed} failed`);
  report.print(output);
  output.json({ source: reading.source, types, files, report: report.items });
}
