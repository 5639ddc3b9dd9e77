import { createClient } from '@trivet/client';
import type { Command } from 'commander';
import { ExitCode } from '../exit-code.js';
import { outputOn } from '../output/output.js';
import { connectionOf, type SharedOptions } from './connection.js';
import type { Process } from './process.js';
import type { Session } from './session.js';

/** The work of a command. It returns what the command ends with, which is 0 if it returns nothing. */
type Work<Options> = (session: Session, values: readonly string[], options: Options) => Promise<ExitCode | void>;

/**
 * Makes the action of a command: it connects to the tenant and runs the work, with the values of the arguments and the options of the
 * command. What the work throws ends the command with 1, or with 3 if it is a UsageError.
 */
export function actionOf<Options extends object>(running: Process, work: Work<Options>) {
  return async (...input: unknown[]): Promise<void> => {
    const command = input.at(-1) as Command;
    const options = command.optsWithGlobals<Options & SharedOptions>();
    const connection = connectionOf(options, running.terminal.env);
    const session: Session = {
      ...connection,
      trivet: createClient(connection),
      output: outputOn(running.terminal, options.json === true),
      terminal: running.terminal,
      signal: running.signal,
    };
    running.exitCode = (await work(session, command.args, options)) ?? ExitCode.done;
  };
}
