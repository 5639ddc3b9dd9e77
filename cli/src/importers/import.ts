import type { Command } from 'commander';
import { addImportLines } from './lines/import-lines.js';
import type { Process } from '../session/process.js';

/** The importers, in the order of the help. Each adds a command to `trivet import`. */
const IMPORTERS: readonly ((parent: Command, running: Process) => void)[] = [addImportLines];

/** Adds `trivet import …`. */
export function addImport(program: Command, running: Process): void {
  const parent = program.command('import').description('imports content from a file');
  for (const add of IMPORTERS) add(parent, running);
}
