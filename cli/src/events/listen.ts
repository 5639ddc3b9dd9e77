import type { Command } from 'commander';
import { UsageError } from '../exit-code.js';
import type { Paint } from '../output/paint.js';
import { actionOf } from '../session/action.js';
import type { Process } from '../session/process.js';
import type { Session } from '../session/session.js';
import { listenToEvents } from './event-stream.js';
import { forward, type Forwarded } from './forward.js';
import { receiverSecret } from './receiver-secret.js';

interface Options {
  readonly forward?: string;
  readonly types?: string;
}

/** Adds `trivet listen`. */
export function addListen(program: Command, running: Process): void {
  program
    .command('listen')
    .description('shows the events of the tenant as they happen, and posts them to a local URL as a webhook would')
    .option('--forward <url>', 'where events are posted, such as http://localhost:4000/hooks')
    .option('--types <types>', 'only these types of events, separated by commas')
    .action(actionOf<Options>(running, (session, _values, options) => listen(session, options)));
}

async function listen(session: Session, { forward: target, types }: Options): Promise<void> {
  if (target !== undefined) checkUrl(target);
  const { output, tenant, terminal, signal } = session;
  const secret = await receiverSecret(tenant, terminal.env);
  await listenToEvents(session, {
    types,
    ready() {
      output.line(target === undefined ? 'Listening.' : `Listening. Events are posted to ${target}, signed with`);
      if (target !== undefined) output.line(secret);
      output.json(target === undefined ? { ready: true } : { ready: true, forward: target, secret });
    },
    lost: (reason) => output.note(`The connection was lost (${reason}). Connecting again.`),
    async receive(body, type) {
      const forwarded = target === undefined ? undefined : await forward(target, body, secret, signal);
      const event = JSON.parse(body) as { id: string };
      output.line(
        [type.padEnd(24), event.id, forwarded && answerOf(forwarded, output.paint)].filter(Boolean).join('  '),
      );
      output.json({ event, ...(forwarded && { forwarded }) });
    },
  });
}

function answerOf({ status, error, milliseconds }: Forwarded, paint: Paint): string {
  const isSuccess = status !== undefined && status >= 200 && status < 300;
  return paint(isSuccess ? 'green' : 'red', `${status ?? error} (${milliseconds} ms)`);
}

function checkUrl(text: string): void {
  if (!/^https?:\/\/[^\s/]/i.test(text)) throw new UsageError(`${text} is not a URL that events can be posted to.`);
}
