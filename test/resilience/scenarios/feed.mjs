import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '../client.mjs';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const WRITERS = 6;
const ENTRIES_OF_TYPE = 40;
const TENANT = 'ten_feed';

export default {
  finding: 11,
  title:
    'a reader of the change feed under concurrent writers and long transactions, then on a new server with a restored backup',
  tenant: 'feed',

  async play(world) {
    const service = world.serviceIn('feed');
    await service.start();
    const client = new Client(service, { tenantId: TENANT, key: world.keysOf(TENANT).all });
    const reader = new Reader(client);
    const writers = new Writers(client);
    await writers.setUp();
    const reading = reader.follow(() => writers.isDone);
    await writers.run(world.isShort ? 3_000 : 6_000);
    await reading;
    const faults = compare(writers.expected, reader.events, 'under writers');
    const notes = [`${reader.events.size} events read under writers`];
    const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    if (scripts.backup && scripts.restore) faults.push(...(await restored({ world, service, writers, reader, notes })));
    else notes.push('not tried after a restore: package.json has no scripts backup and restore');
    await service.end();
    return { faults, notes };
  },
};

/** Reads the feed by its cursor, and stores each event once. */
class Reader {
  events = new Set();
  cursor = '';

  constructor(client) {
    this.client = client;
  }

  /** Reads until it reached the end twice after `isDone()`. */
  async follow(isDone) {
    for (let ends = 0; ends < 2;) {
      const wasDone = isDone();
      const read = await this.read();
      if (read === 0) await sleep(30);
      ends = wasDone && read === 0 ? ends + 1 : 0;
    }
  }

  /** Reads one page and returns its number of events. */
  async read() {
    const path = `/v1/events/${TENANT}?per_page=100&cursor=${encodeURIComponent(this.cursor)}`;
    const { status, text } = await this.client.send('GET', path);
    if (status !== 200) throw new Error(`The feed answered ${status}: ${text.slice(0, 300)}`);
    const { data, meta } = JSON.parse(text);
    for (const { type, data: resource } of data) this.events.add(`${type} ${resource.id}`);
    this.cursor = meta.next_cursor ?? this.cursor;
    return data.length;
  }
}

/** Creates entries, and deletes types with many entries, whose events are committed late in one transaction. */
class Writers {
  expected = new Set();
  isDone = false;

  constructor(client) {
    this.client = client;
  }

  async setUp() {
    this.type = await this.client.ask('POST', this.client.types, {
      name: 'Feed',
      fields: [{ name: 'text', type: 'text' }],
    });
  }

  async run(milliseconds) {
    this.isDone = false;
    const ends = Date.now() + milliseconds;
    const lane = async (number) => {
      while (Date.now() < ends) await (number === 0 ? this.dropType() : this.create(this.type.id));
    };
    await Promise.all(Array.from({ length: WRITERS }, (_, number) => lane(number)));
    this.isDone = true;
  }

  async create(typeId) {
    const { id } = await this.client.ask('POST', `${this.client.types}/${typeId}/entries`, {
      fields: { text: 'feed' },
    });
    this.expected.add(`entry.created ${id}`);
    return id;
  }

  async dropType() {
    const { types } = this.client;
    const { id } = await this.client.ask('POST', types, { name: 'Dropped', fields: [{ name: 'text', type: 'text' }] });
    const ids = [];
    for (let count = 0; count < ENTRIES_OF_TYPE; count++) ids.push(await this.create(id));
    await this.client.send('DELETE', `${types}/${id}`);
    for (const one of ids) this.expected.add(`entry.deleted ${one}`);
  }
}

function compare(expected, found, when) {
  const lost = [...expected].filter((event) => !found.has(event));
  return lost.length > 0 ? [`${when} the reader missed ${lost.length} of ${expected.size} events`] : [];
}

/** Backs the service up after further writes and restores it elsewhere, where a reader continues with its old cursor during new writes. */
async function restored({ world, service, writers, reader, notes }) {
  const file = join(world.folder, 'feed/backup');
  const before = reader.cursor;
  await writers.run(1_000);
  const expected = new Set(writers.expected);
  await npm('backup', file, { ...world.environment(service.dataDir), PORT: String(service.port) });
  await service.end();
  const fresh = world.serviceIn('feed-restored');
  await npm('restore', file, world.environment(fresh.dataDir));
  await fresh.start();
  const client = new Client(fresh, { tenantId: TENANT, key: world.keysOf(TENANT).all });
  const later = new Writers(client);
  later.type = writers.type;
  later.expected = expected;
  const again = new Reader(client);
  again.cursor = before;
  again.events = new Set(reader.events);
  const reading = again.follow(() => later.isDone);
  await later.run(1_500);
  await reading;
  notes.push(`${again.events.size} events after the restore`);
  const faults = compare(later.expected, again.events, 'after a restore');
  await fresh.end();
  return faults;
}

function npm(script, file, env) {
  const options = { cwd: ROOT, env: { HOME: process.env.HOME, ...env } };
  return promisify(execFile)('npm', ['run', '--silent', script, '--', file], options);
}
