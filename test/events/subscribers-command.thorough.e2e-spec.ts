import { newUuid } from '../../src/ids/type-id.js';
import { Command } from '../support/backups.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { build } from '../support/service.js';

jest.setTimeout(240_000);

describe('npm run subscribers', () => {
  let database: TestDatabase;
  beforeAll(build);
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(() => database.drop());

  const run = async (...args: string[]) => {
    const command = new Command('events/subscribers-command', args, { DATABASE_URL: database.url });
    const { code, stdout, stderr } = await command.finished;
    return { code, stdout, stderr };
  };

  it('says on the standard error which database it works on, without the password', async () => {
    const { port, pathname } = new URL(database.url);
    const { database: named } = await new Command('events/subscribers-command', [], { DATABASE_URL: database.url })
      .finished;
    expect(named).toMatch(new RegExp(`^${pathname.slice(1)} at [^ @]+:${port || 5432}$`));
  });
  const add = (name: string, seen: string) =>
    database.query(
      `INSERT INTO subscribers (name, id, starts_from, created_at, registered_at, seen_at)
        VALUES ($1, $2, 'now', now(), now(), $3::timestamptz)`,
      [name, newUuid(), seen],
    );

  it('lists the subscribers, and retires one that no worker has', async () => {
    expect(await run()).toMatchObject({
      code: 0,
      stdout: 'There are no subscribers besides webhooks and mail.\n',
    });
    await add('crm', '2026-01-31T09:30:00Z');
    await add('journal', new Date().toISOString());
    await database.query(`INSERT INTO event_counters VALUES ('ten_a', 5)`);
    expect((await run()).stdout.split('\n')).toEqual([
      'crm: no worker has it; last seen: 2026-01-31T09:30:00Z. Started from: now. Tenants with events that it has not received: 1.',
      'journal: runs in a worker. Started from: now. Tenants with events that it has not received: 1.',
      '',
    ]);
    expect(await run('retire', 'crm')).toMatchObject({ code: 0, stdout: expect.stringContaining('Retired: crm.') });
    expect(await run('retire', 'journal')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'A worker had the subscriber journal less than three minutes ago. Remove it from every worker, and try again.\n',
    });
    expect(await run('retire', 'crm')).toMatchObject({ code: 1, stderr: 'There is no subscriber crm.\n' });
    expect((await database.query('SELECT name FROM subscribers')).map(({ name }) => name as string)).toEqual([
      'journal',
    ]);
  });

  it.each([['retire'], ['list'], ['retire', 'a', 'b']])('prints its usage for wrong arguments', async (...args) => {
    expect(await run(...args)).toMatchObject({ code: 1, stderr: expect.stringContaining('Usage:') });
  });
});
