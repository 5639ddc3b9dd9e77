import type { Command } from 'commander';
import { ExitCode } from '../exit-code.js';
import { actionOf } from '../session/action.js';
import type { Process } from '../session/process.js';
import type { Session } from '../session/session.js';
import { planLines, planMarkdown, summaryOf } from './plan-lines.js';
import { isBlocked, planPush, type PushOptions } from './plan-schema.js';
import { DEFAULT_FOLDER } from './pull.js';
import { readSchema } from './schema-files.js';

interface DiffOptions extends PushOptions {
  readonly markdown?: boolean;
}

/** Adds `trivet diff`. */
export function addDiff(program: Command, running: Process): void {
  withPushOptions(
    program
      .command('diff')
      .description('shows what a push would do; ends with 2 if stored values are in the way or would be lost')
      .argument('[dir]', 'the folder', DEFAULT_FOLDER),
  )
    .option('--markdown', 'as Markdown, for pull requests')
    .action(
      actionOf<DiffOptions>(running, (session, [folder = DEFAULT_FOLDER], options) => diff(session, folder, options)),
    );
}

/** Adds the options that decide what a push may do. */
export function withPushOptions(command: Command): Command {
  return command
    .option('--prune', 'delete what is not in the folder')
    .option('--allow-lossy', 'allow steps by which values are lost');
}

async function diff(session: Session, folder: string, options: DiffOptions): Promise<ExitCode> {
  const { output } = session;
  const { steps } = await planPush(session, await readSchema(folder), options);
  if (options.markdown) output.line(planMarkdown(steps));
  else for (const line of [...planLines(steps, output.paint), summaryOf(steps)]) output.line(line);
  output.json({ steps });
  return steps.some((step) => isBlocked(step, options)) ? ExitCode.wouldBreak : ExitCode.done;
}
