/** Measures what an event adds to the write that records it: the service's own query with and without the event. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FIELDS } from './data.mjs';
import { DeliveryScene } from './deliveries-scene.mjs';
import { Histogram } from './histogram.mjs';
import { open } from './postgres.mjs';
import { ServiceSeed } from './seed-service.mjs';

const WARM_UP = 300;
const PAIRS = 3_000;
const CONNECTIONS = 8;
const BLOCKS = 10;
const BLOCK_WRITES = 800;
/** Numbers of entries that only this file creates. */
const FIRST = 40_000_000;

export async function measureEventCost(world) {
  const { options, postgres } = world;
  const scene = await DeliveryScene.build(world, 'in process', 1);
  const statements = await statementsOf(options.dist);
  const writer = await Writer.of(options.dist, scene);
  // The events stay pending, because only the write is measured.
  await scene.stop();
  const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => openAsTheService(options.dist, scene)));
  try {
    const single = await inPairs(writer, clients[0], statements);
    const blocks = await inBlocks(writer, clients, statements, postgres);
    return [
      ...['mean_ms', 'p50_ms'].map((name) => row(`one connection, ${name.slice(0, -3)}, ms`, single, name)),
      row(`${CONNECTIONS} connections, µs a write`, blocks, 'wall_us'),
      row(`${CONNECTIONS} connections, processor time of PostgreSQL, µs a write`, blocks, 'cpu_us'),
    ];
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

function row(title, { event, bare }, name) {
  return { title, event: event[name], bare: bare[name] };
}

/** The query as it is, and without the part that records events. The version stays, because the history needs it too. */
async function statementsOf(dist) {
  const { CREATE_ENTRY } = await import(pathToFileURL(join(dist, 'content/entries/writes/create-entry.sql.js')).href);
  const { name, text, bind } = CREATE_ENTRY.plain;
  const bare = text.replace(/,\s*recorded AS \([\s\S]*\)(?=\s*SELECT 1 FROM entry$)/, '');
  // The types of the events are the last parameter.
  const last = `$${bind('', PLACEHOLDERS).length}`;
  if (bare === text || bare.includes(last)) {
    throw new Error('CREATE_ENTRY has changed: adapt bench/deliveries-event-cost.mjs to it.');
  }
  return {
    event: { name, text, bind },
    bare: { name: 'bare', text: bare, bind: (...parameters) => bind(...parameters).slice(0, -1) },
  };
}

/** A value for every parameter. */
const PLACEHOLDERS = new Proxy({}, { get: () => '' });

/** Creates the query's parameters as the service does. */
class Writer {
  static async of(dist, { databaseUrl, tenants }) {
    const seed = await ServiceSeed.of(dist, databaseUrl);
    const typeId = seed.ids.parseId('ct', tenants[0].entries.split('/').at(-2));
    const schema = seed.Schema.compile(FIELDS, 'content');
    return new Writer({ seed, typeId, schema, tenantId: tenants[0].id, next: FIRST });
  }

  constructor(parts) {
    Object.assign(this, parts);
  }

  /** Creates the parameters of a new entry before the time is measured. */
  values() {
    const { seed, schema, typeId, tenantId } = this;
    const { names, keys, discriminators, ...row } = seed.entryRow(schema, typeId, this.next++);
    const id = seed.ids.newUuid();
    const parameters = {
      typeId,
      typeVersion: 1,
      entryId: id,
      fields: row.fields,
      status: 'draft',
      words: row.words,
      gaps: row.gaps,
      sequence: row.sequence,
      newWords: [],
      at: seed.ids.timeOf(id).toISOString(),
      addedFields: names,
      addedKeys: keys,
      addedDiscriminators: discriminators,
      addedUniqueFields: [],
      addedUniqueValues: [],
      drafts: 1,
      published: 0,
      head: row.head,
      tail: row.tail,
      summary: row.summary,
      eventIds: [seed.ids.newUuid()],
      eventTypes: ['entry.created'],
    };
    return [tenantId, parameters];
  }
}

/** Opens a connection with the settings of the service's sessions, which affect the plans. */
async function openAsTheService(dist, { databaseUrl }) {
  const { dataSourceOptions } = await import(pathToFileURL(join(dist, 'database/data-source.js')).href);
  const client = await open(databaseUrl);
  for (const [, name, value] of dataSourceOptions(databaseUrl, 1).extra.options.matchAll(/-c (\w+)=(\S+)/g)) {
    await client.query('SELECT set_config($1, $2, false)', [name, value]);
  }
  return client;
}

async function write(client, { name, text, bind }, parameters) {
  const { rowCount } = await client.query({ name, text, values: bind(...parameters) });
  if (rowCount !== 1) throw new Error('The entry was not written.');
}

/** Runs the queries one after the other. With and without the event alternate in going first. */
async function inPairs(writer, client, statements) {
  const times = { event: [], bare: [] };
  for (let pair = -WARM_UP; pair < PAIRS; pair++) {
    for (const kind of pair % 2 ? ['event', 'bare'] : ['bare', 'event']) {
      const values = writer.values();
      const began = performance.now();
      await write(client, statements[kind], values);
      if (pair >= 0) times[kind].push(performance.now() - began);
    }
  }
  return { event: describe(times.event), bare: describe(times.bare) };
}

function describe(times) {
  const histogram = new Histogram();
  for (const time of times) histogram.record(time * 1000);
  return { mean_ms: times.reduce((sum, time) => sum + time, 0) / times.length, p50_ms: histogram.quantile(0.5) };
}

/** Runs the queries on all connections at once, in alternating blocks. Returns the medians of the blocks. */
async function inBlocks(writer, clients, statements, postgres) {
  const blocks = { event: [], bare: [] };
  for (let number = -2; number < BLOCKS * 2; number++) {
    const kind = number % 2 ? 'event' : 'bare';
    const all = Array.from({ length: BLOCK_WRITES }, () => writer.values());
    const cpu = await postgres.cpuTime();
    const began = performance.now();
    await Promise.all(
      clients.map(async (client) => {
        for (let values = all.pop(); values; values = all.pop()) await write(client, statements[kind], values);
      }),
    );
    const wall_us = ((performance.now() - began) * 1000) / BLOCK_WRITES;
    const cpu_us = ((await postgres.cpuTime()) - cpu) / BLOCK_WRITES;
    if (number >= 0) blocks[kind].push({ wall_us, cpu_us });
  }
  return { event: medians(blocks.event), bare: medians(blocks.bare) };
}

function medians(blocks) {
  const median = (name) => blocks.map((block) => block[name]).sort((a, b) => a - b)[Math.floor(blocks.length / 2)];
  return { wall_us: median('wall_us'), cpu_us: median('cpu_us') };
}
