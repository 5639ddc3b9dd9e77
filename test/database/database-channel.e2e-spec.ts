import { DatabaseChannel } from '../../src/database/connections/database-channel.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { until } from '../support/until.js';

describe('a channel between processes', () => {
  let database: TestDatabase;
  const heard = new Map<string, string[]>([
    ['a', []],
    ['b', []],
  ]);
  const channels: DatabaseChannel[] = [];
  const of = (name: string, url = database.url) => {
    const channel = new DatabaseChannel(url, 'trivet_test', (message) => heard.get(name)!.push(message));
    channels.push(channel);
    return channel;
  };

  beforeAll(async () => (database = await createDatabase()));
  afterAll(async () => {
    for (const channel of channels) await channel.stop();
    await database.drop();
  });

  it('passes messages to the others and not to the sender, also after its connections were lost', async () => {
    const [a, b] = [of('a'), of('b')];
    await a.send('not heard, because b does not listen yet');
    await b.send('from b');
    await a.send('from a');
    await until(() => Promise.resolve(heard.get('a')!.length + heard.get('b')!.length === 2));
    expect(Object.fromEntries(heard)).toEqual({ a: ['from b'], b: ['from a'] });
    await database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'trivet watch trivet_test'`,
    );
    await until(async () => {
      await a.send('again');
      await b.send('again');
      return heard.get('a')!.includes('again') && heard.get('b')!.includes('again');
    });
  });

  it('loses messages while the database is away, and says nothing after its end', async () => {
    const away = of('a', 'postgres://127.0.0.1:1/none');
    await away.send('lost');
    const ended = of('a');
    await ended.stop();
    await ended.send('lost');
    const sessions = await database.query<{ count: number }>(
      `SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'trivet watch trivet_test'`,
    );
    expect(sessions).toEqual([{ count: 2 }]);
  });
});
