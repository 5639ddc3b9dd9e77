import type { Command } from 'commander';
import { actionOf } from '../session/action.js';
import type { Process } from '../session/process.js';
import type { Reading } from './moving/model.js';
import { type MoveOptions, type Place, runImport } from './moving/run-import.js';

interface Mover {
  name: string;
  description: string;
  file: string;
  read: (file: string, place: Place) => Promise<Omit<Reading, 'spool' | 'report'>>;
}

/** Adds a command that imports the file of another program. */
export function addMover(parent: Command, running: Process, { name, description, file, read }: Mover): void {
  parent
    .command(name)
    .description(description)
    .argument('<file>', file)
    .option('--dry-run', 'show what would happen, and change nothing')
    .option('--source <name>', 'tells two sources apart that are imported into one tenant')
    .action(actionOf<MoveOptions>(running, (session, [path = ''], options) => runImport(session, path, options, read)));
}
