import { Command } from 'commander';
import { addImport } from './importers/import.js';
import type { Process } from './session/process.js';

/** The commands, in the order of the help. */
const COMMANDS = [addImport];

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
