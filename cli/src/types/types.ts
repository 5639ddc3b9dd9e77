import { readFile, writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { ExitCode, UsageError } from '../exit-code.js';
import { actionOf } from '../session/action.js';
import type { Process } from '../session/process.js';
import type { Session } from '../session/session.js';

interface Options {
  readonly output?: string;
  readonly check?: boolean;
}

/** Adds `trivet types`. */
export function addTypes(program: Command, running: Process): void {
  program
    .command('types')
    .description('writes the TypeScript of the content types and forms, for @trivet/client')
    .option('-o, --output <file>', 'the file; without it, the standard output')
    .option('--check', 'write nothing, and fail if the file differs')
    .action(actionOf<Options>(running, (session, _values, options) => types(session, options)));
}

async function types(
  { trivet, terminal, output, signal }: Session,
  { output: file, check }: Options,
): Promise<ExitCode> {
  if (check && file === undefined) throw new UsageError('--check needs the file: --output FILE');
  const response = await trivet.request('getContractTypes', { signal });
  const text = await response.text();
  if (file === undefined) {
    if (output.isJson) output.json({ types: text });
    else terminal.stdout.write(text);
    return ExitCode.done;
  }
  const isCurrent = (await readFile(file, 'utf8').catch(() => undefined)) === text;
  output.json({ file, current: isCurrent });
  if (check) {
    if (!isCurrent) output.note(`${file} is not what the service has. Write it: trivet types --output ${file}`);
    return isCurrent ? ExitCode.done : ExitCode.failed;
  }
  if (!isCurrent) await writeFile(file, text);
  output.line(isCurrent ? `${file} is up to date.` : `${file} is written.`);
  return ExitCode.done;
}
