import type { Command } from 'commander';
import { ExitCode, UsageError } from '../exit-code.js';
import { confirm } from '../output/confirm.js';
import { actionOf } from '../session/action.js';
import type { Process } from '../session/process.js';
import type { Session } from '../session/session.js';
import { withPushOptions } from './diff.js';
import { planLines, summaryOf } from './plan-lines.js';
import { bodyOfPlan, inFiles, isBlocked, type Plan, planPush, type PushOptions, type Step } from './plan-schema.js';
import { DEFAULT_FOLDER } from './pull.js';
import { readSchema, type SchemaInFiles } from './schema-files.js';
import { type StartedChange, waitForChanges } from './wait-for-changes.js';

/** A schema that takes longer is refused. */
const APPLY_MS = 10 * 60_000;

interface Options extends PushOptions {
  readonly yes?: boolean;
}

/** Adds `trivet push`. */
export function addPush(program: Command, running: Process): void {
  withPushOptions(
    program
      .command('push')
      .description('makes the schema of the tenant that of the folder, in one transaction')
      .argument('[dir]', 'the folder', DEFAULT_FOLDER),
  )
    .option('-y, --yes', 'do not ask')
    .action(
      actionOf<Options>(running, (session, [folder = DEFAULT_FOLDER], options) => push(session, folder, options)),
    );
}

async function push(session: Session, folder: string, options: Options): Promise<ExitCode> {
  const { output } = session;
  const schema = await readSchema(folder);
  const plan = await planPush(session, schema, options);
  const { steps } = plan;
  for (const line of [...planLines(steps, output.paint), summaryOf(steps)]) output.line(line);
  const blocked = steps.filter((step) => isBlocked(step, options));
  if (blocked.length > 0) return refuse(session, steps, blocked);
  if (steps.length === 0) {
    output.json({ steps, applied: true, changes: [] });
    return ExitCode.done;
  }
  if (!options.yes && !(await isConfirmed(session))) {
    output.line('Nothing was changed.');
    output.json({ steps, applied: false });
    return ExitCode.failed;
  }
  const changes = await apply(session, schema, plan, options);
  output.line('Applied.');
  output.json({ steps, applied: true, changes });
  return ExitCode.done;
}

function refuse({ output }: Session, steps: readonly Step[], blocked: readonly Step[]): ExitCode {
  const needsData = blocked.some((step) => step.class === 'needs_data');
  output.note(
    needsData
      ? 'Stored values are in the way. Nothing was changed. Change the values or the schema first.'
      : 'Values would be lost. Nothing was changed. Allow it with --allow-lossy.',
  );
  output.json({ steps, applied: false });
  return ExitCode.wouldBreak;
}

async function isConfirmed({ terminal, signal }: Session): Promise<boolean> {
  if (terminal.stdin.isTTY && terminal.stderr.isTTY) return confirm(terminal, 'Apply this?', signal);
  throw new UsageError('Nothing was changed. Without a terminal nobody can be asked: add --yes.');
}

async function apply(
  session: Session,
  schema: SchemaInFiles,
  { hash }: Plan,
  options: PushOptions,
): Promise<StartedChange[]> {
  const { trivet, signal } = session;
  const body = { ...bodyOfPlan(schema, options), hash };
  const { data } = await inFiles(schema, trivet.request('applySchema', { body, signal, timeout: APPLY_MS }));
  await waitForChanges(session, data.changes);
  return data.changes;
}
