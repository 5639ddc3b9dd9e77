import pg from 'pg';
import { loadDataConfig } from '../config/data-config.js';
import { announceDatabase } from '../database/servers/describe-database.js';
import { reachDatabase } from '../database/servers/reach-database.js';
import { runCommand, say } from '../processes/command.js';
import { Retirement } from './subscribers/retirement.js';

const USAGE =
  'Usage: npm run subscribers                  lists the subscribers\n' +
  '       npm run subscribers -- retire NAME   keeps no more events for a subscriber that was removed';

runCommand(async (signal) => {
  const [verb, name, ...more] = process.argv.slice(2);
  const isUsage = verb === undefined || (verb === 'retire' && name !== undefined && more.length === 0);
  if (!isUsage) throw new Error(USAGE);
  const { url, release } = await reachDatabase({ ...loadDataConfig(), log: { info: say, error: say } });
  try {
    announceDatabase(url);
    const client = new pg.Client({ connectionString: url, application_name: 'trivet subscribers' });
    // If a connection breaks between two statements, the next statement reports it.
    client.on('error', () => undefined);
    await client.connect();
    signal.addEventListener('abort', () => void client.end());
    const retirement = new Retirement(client);
    return await (name === undefined ? list(retirement) : retire(retirement, name)).finally(() => client.end());
  } finally {
    await release();
  }
});

async function list(retirement: Retirement): Promise<number> {
  const subscribers = await retirement.report();
  if (subscribers.length === 0) say('There are no subscribers besides webhooks and mail.');
  for (const { name, startsFrom, seenAt, isRunning, tenantsBehind } of subscribers) {
    const state = isRunning ? 'runs in a worker' : `no worker has it; last seen: ${seenAt ?? 'never'}`;
    say(
      `${name}: ${state}. Started from: ${startsFrom}. Tenants with events that it has not received: ${tenantsBehind}.`,
    );
  }
  return 0;
}

async function retire(retirement: Retirement, name: string): Promise<number> {
  if (await retirement.retire(name)) {
    say(`Retired: ${name}. Its own tables are unchanged. If it is added again, it starts as a new subscriber.`);
    return 0;
  }
  const known = (await retirement.report()).some((subscriber) => subscriber.name === name);
  process.stderr.write(
    known
      ? `A worker had the subscriber ${name} less than three minutes ago. Remove it from every worker, and try again.\n`
      : `There is no subscriber ${name}.\n`,
  );
  return 1;
}
