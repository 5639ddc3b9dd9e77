import { CommanderError } from 'commander';
import { ExitCode, UsageError } from './exit-code.js';
import { failureAsJson, reportFailure } from './output/failure.js';
import type { Terminal } from './output/terminal.js';
import { programOf } from './program.js';
import type { Process } from './session/process.js';

/** Runs the command line, and returns what it ends with. */
export async function run(words: readonly string[], terminal: Terminal, signal: AbortSignal): Promise<ExitCode> {
  const running: Process = { terminal, signal, exitCode: ExitCode.done };
  const program = programOf(running);
  try {
    await program.parseAsync(words, { from: 'user' });
    return running.exitCode;
  } catch (error) {
    // The program has printed the help, or what is wrong with the options.
    if (error instanceof CommanderError && error.exitCode === 0) return ExitCode.done;
    const isJson = program.opts()['json'] === true || words.includes('--json');
    if (error instanceof CommanderError) {
      if (isJson) terminal.stdout.write(failureAsJson(new UsageError(error.message.replace(/^error: /, ''))));
      return ExitCode.usage;
    }
    return reportFailure(signal.aborted ? signal.reason : error, terminal, isJson);
  }
}
