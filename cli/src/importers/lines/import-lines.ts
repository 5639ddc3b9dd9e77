import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { type Command, Option } from 'commander';
import { ExitCode, UsageError } from '../../exit-code.js';
import { actionOf } from '../../session/action.js';
import type { Process } from '../../session/process.js';
import type { Session } from '../../session/session.js';
import { type ImportQuery, importStream, type LineProblem } from './import-stream.js';

/** Problems of lines that are shown one by one. */
const SHOWN = 50;
const TYPES = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const;

interface Options {
  readonly type: string;
  readonly by?: string;
  readonly status?: 'draft' | 'published';
  readonly locale?: string;
  readonly dryRun?: boolean;
}

/** Adds `trivet import csv` and `trivet import ndjson`. */
export function addImportLines(parent: Command, running: Process): void {
  for (const format of Object.keys(TYPES) as (keyof typeof TYPES)[]) {
    parent
      .command(format)
      .description(format === 'csv' ? 'imports entries from a CSV file' : 'imports entries from lines of JSON')
      .argument('<file>', 'the file; - is the standard input')
      .requiredOption('--type <slug>', 'the content type')
      .option('--by <field>', 'update the entry that has the same value of this unique field: it may be run again')
      .addOption(new Option('--status <status>', 'the status of lines without one').choices(['draft', 'published']))
      .option('--locale <code>', 'the locale of the values')
      .option('--dry-run', 'change nothing, and report what would happen')
      .action(
        actionOf<Options>(running, (session, [file = ''], options) => importLines(session, file, format, options)),
      );
  }
}

async function importLines(
  session: Session,
  file: string,
  format: keyof typeof TYPES,
  options: Options,
): Promise<ExitCode> {
  const { output } = session;
  const { type, by, status, locale, dryRun } = options;
  const size = file === '-' ? undefined : await sizeOf(file);
  const progress = output.progress('Reading');
  let sent = 0;
  const source = file === '-' ? session.terminal.stdin : createReadStream(file);
  const body = Readable.toWeb(
    Readable.from(source, { objectMode: false }).on('data', (chunk: Buffer) =>
      progress.at((sent += chunk.length), size),
    ),
  ) as ReadableStream<Uint8Array>;
  const query: ImportQuery = { key: by, status, locale, dry_run: dryRun };
  const problems: LineProblem[] = [];
  const counts = await importStream(session, { type, contentType: TYPES[format], query, body }, (problem) => {
    if (problems.length < SHOWN) problems.push(problem);
  }).finally(() => {
    progress.end();
    for (const { line, problem } of problems) output.note(`line ${line}: ${textOf(problem)}`);
  });
  if (counts.failed > problems.length) output.note(`and ${counts.failed - problems.length} more lines`);
  const { created, updated, unchanged, failed } = counts;
  const would = dryRun ? 'It would be: ' : '';
  output.line(`${would}${created} created, ${updated} updated, ${unchanged} unchanged, ${failed} failed.`);
  output.json({ ...counts, dry_run: dryRun === true, problems });
  return failed > 0 ? ExitCode.failed : ExitCode.done;
}

function textOf({ detail, errors = [] }: LineProblem['problem']): string {
  return errors.length > 0 ? errors.map(({ message }) => message).join(' ') : (detail ?? 'It cannot be imported.');
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch((error: Error) => {
    throw new UsageError(`${file} cannot be read: ${error.message}`);
  });
  if (found.isDirectory()) throw new UsageError(`${file} is a folder.`);
  return found.size;
}
