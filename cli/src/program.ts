import { Command } from 'commander';
import { addCompletion } from './completion/completion.js';
import { addOpen } from './console/open.js';
import { addListen } from './events/listen.js';
import { addImport } from './importers/import.js';
import { addDiff } from './schema/diff.js';
import { addPull } from './schema/pull.js';
import { addPush } from './schema/push.js';
import type { Process } from './session/process.js';
import { addExport } from './transfer/export.js';
import { addRestore } from './transfer/restore.js';
import { addTypes } from './types/types.js';

/** The commands, in the order of the help. */
const COMMANDS = [
  addPull,
  addDiff,
  addPush,
  addTypes,
  addImport,
  addExport,
  addRestore,
  addListen,
  addOpen,
  addCompletion,
];

/** Builds the program with all of its commands. */
export function programOf(running: Process): Command {
  const { stdout, stderr } = running.terminal;
  const program = new Command('trivet')
    .description('Works on a tenant of Trivet: its schema, its content and its events.')
    .option('--url <url>', 'where the service is (TRIVET_URL)')
    .option('--tenant <id>', 'the tenant (TRIVET_TENANT)')
    .option('--key <key>', 'an API key (TRIVET_KEY)')
    .option('--json', 'print the result as JSON')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) })
    .showHelpAfterError('Run the command with --help to see how it is used.')
    .exitOverride();
  for (const add of COMMANDS) add(program, running);
  return program;
}
