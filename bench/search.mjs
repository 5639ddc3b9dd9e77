/** `npm run bench -- search`: see README.md. */
import { readOptions, runCommand } from './command.mjs';
import { randomFrom } from './data.mjs';
import { open, Postgres, settle, using } from './postgres.mjs';
import { circumstances, save } from './results.mjs';
import { documentOf, FIELDS, phraseOf, valuesOf, WORD_IN_ALL, WORD_IN_PERCENT } from './search-corpus.mjs';
import { ServiceSeed } from './seed-service.mjs';
import { configure, startService, TENANT } from './service.mjs';
import { printTable, short } from './table.mjs';

const HELP = `Measures what search finds, and how fast, beside PostgreSQL's own full-text search on the same documents. See bench/README.md.

  npm run bench -- search [options]

  --sizes a,b     numbers of documents (10000,100000)
  --items N       documents that are looked for by their title, and phrases (300)
  --requests N    requests of each kind (200)
  --creates N     documents that are created (400)
  --dist DIR      the built service (dist/src)
  --note TEXT     a note to store with the results
`;
const LIMIT_MS = 5_400_000;
const PER_PAGE = 25;
const CONNECTIONS = 4;
const BATCH = 500;
/** Numbers of documents that are only created. */
const NEW = 20_000_000;

/** PostgreSQL's own search. */
const INSERT = `INSERT INTO documents SELECT id, title, body,
    setweight(to_tsvector('simple', title), 'A') || setweight(to_tsvector('simple', body), 'D')
  FROM json_to_recordset($1) AS d (id int, title text, body text)`;
const SEARCH = `SELECT title FROM documents, websearch_to_tsquery('simple', $1) AS query WHERE words @@ query
  ORDER BY ts_rank_cd(words, query) DESC, id DESC LIMIT ${PER_PAGE}`;
const COUNT = `SELECT count(*)::int AS total FROM documents WHERE words @@ websearch_to_tsquery('simple', $1)`;

const given = readOptions(HELP, { sizes: '10000,100000', items: 300, requests: 200, creates: 400 });
const options = { ...given, sizes: given.sizes.split(',').map(Number) };

await runCommand(LIMIT_MS, async (folder) => {
  const postgres = await Postgres.start({ dist: options.dist, folder });
  const results = { circumstances: circumstances(options, postgres), sizes: {} };
  for (const size of options.sizes) results.sizes[size] = await measure(size, { postgres, folder });
  print(results.sizes);
  save('search', results);
});

async function measure(size, { postgres, folder }) {
  console.log(`\n${size.toLocaleString('en')} documents: writing them for both`);
  const service = await serviceWith(size, { postgres, folder });
  const floor = await floorWith(size, postgres);
  const found = {};
  for (const [name, server] of Object.entries({ service, floor })) {
    found[name] = {
      ...(await knownItems(server, size)),
      ...(await phrases(server, size)),
      latencies: await latencies(server, size),
    };
  }
  // Writing comes last, because the documents of the two differ afterwards.
  for (const [name, server] of Object.entries({ service, floor })) found[name].creates = await creates(server);
  await service.end();
  await floor.end();
  return found;
}

/** The service with the documents as entries. */
async function serviceWith(size, { postgres, folder }) {
  const databaseUrl = await postgres.createDatabase('search');
  const configuration = configure({ dist: options.dist, folder, databaseUrl });
  const seed = await ServiceSeed.of(options.dist, databaseUrl);
  let running = await startService(configuration);
  const type = await running.send('POST', `/v1/content/${TENANT}/types`, { name: 'Document', fields: FIELDS });
  await running.stop();
  await seed.entries(type, 0, size, { valuesOf });
  await settle(databaseUrl);
  running = await startService(configuration);
  const path = `/v1/content/${TENANT}/types/${type.id}/entries`;
  return {
    async search(query) {
      const url = `${running.url}${path}?per_page=${PER_PAGE}&search=${encodeURIComponent(query)}`;
      const response = await fetch(url, { headers: running.headers });
      if (!response.ok) throw new Error(`${url} answered ${response.status}`);
      const { data, meta } = await response.json();
      return { titles: data.map(({ fields }) => fields.title), total: meta.total };
    },
    create: (number) => running.send('POST', path, { fields: valuesOf(number), status: 'published' }),
    end: () => running.stop(),
  };
}

/** PostgreSQL's own search on the same texts, without HTTP. */
async function floorWith(size, postgres) {
  const url = await postgres.createDatabase('floor');
  await using(url, async (client) => {
    await client.query(
      `CREATE TABLE documents (id int PRIMARY KEY, title text NOT NULL, body text NOT NULL, words tsvector NOT NULL)`,
    );
    for (let from = 0; from < size; from += BATCH) {
      const numbers = Array.from({ length: Math.min(BATCH, size - from) }, (_, index) => from + index);
      await client.query(INSERT, [JSON.stringify(numbers.map(plain))]);
    }
    await client.query('CREATE INDEX ON documents USING gin (words)');
  });
  await settle(url);
  const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => open(url)));
  const [client] = clients;
  return {
    async search(query) {
      const { rows } = await client.query({ name: 'search', text: SEARCH, values: [query] });
      const count = await client.query({ name: 'count', text: COUNT, values: [query] });
      return { titles: rows.map(({ title }) => title), total: count.rows[0].total };
    },
    create: (number, connection) => clients[connection].query(INSERT, [JSON.stringify([plain(number)])]),
    end: () => Promise.all(clients.map((one) => one.end())),
  };
}

function plain(number) {
  const { title, words } = documentOf(number);
  return { id: number, title, body: words.join(' ') };
}

/** How often a document's title finds it first, and at which place it is found. */
async function knownItems(server, size) {
  const random = randomFrom(1);
  let [first, reciprocal] = [0, 0];
  for (let count = 0; count < options.items; count++) {
    const { title } = documentOf(Math.floor(random() * size));
    // Without the last word, which only this document has.
    const place = (await server.search(title.split(' ').slice(0, -1).join(' '))).titles.indexOf(title);
    if (place === 0) first++;
    if (place >= 0) reciprocal += 1 / (place + 1);
  }
  return { first: first / options.items, mrr: reciprocal / options.items };
}

/** Of the hits for a phrase, those that have it; and how often the document is among them that the phrase is from. */
async function phrases(server, size) {
  const random = randomFrom(2);
  let [hits, correct, recalled] = [0, 0, 0];
  const documents = new Map();
  for (let count = 0; count < options.items; count++) {
    const number = Math.floor(random() * size);
    const phrase = phraseOf(number, random);
    const { titles } = await server.search(`"${phrase.join(' ')}"`);
    for (const title of titles) {
      const other = parseInt(title.split(' ').at(-1).slice(1), 36);
      if (!documents.has(other)) documents.set(other, ` ${documentOf(other).words.join(' ')} `);
      hits++;
      if (documents.get(other).includes(` ${phrase.join(' ')} `)) correct++;
      if (other === number) recalled++;
    }
    documents.clear();
  }
  return { precision: correct / hits, recall: recalled / options.items };
}

/** Latencies in milliseconds, one request at a time. */
async function latencies(server, size) {
  const random = randomFrom(3);
  const some = () => documentOf(Math.floor(random() * size));
  const title = () => some().title.split(' ').slice(0, -1);
  const kinds = {
    'a title': () => title().join(' '),
    'a rare word': () => title()[0],
    'a word in 1 %': () => WORD_IN_PERCENT,
    'a word in all': () => WORD_IN_ALL,
    'two words, one rare': () => `${WORD_IN_ALL} ${title()[0]}`,
    'a phrase of four words': () => `"${phraseOf(Math.floor(random() * size), random).join(' ')}"`,
  };
  const measured = {};
  for (const [kind, queryOf] of Object.entries(kinds)) {
    const times = [];
    for (let count = 0; count < options.requests; count++) {
      const query = queryOf();
      const began = performance.now();
      await server.search(query);
      times.push(performance.now() - began);
    }
    times.sort((a, b) => a - b);
    measured[kind] = { p50: times[Math.floor(times.length / 2)], p99: times[Math.floor(times.length * 0.99)] };
  }
  return measured;
}

/** Documents created a second. */
async function creates(server) {
  let next = NEW;
  const began = performance.now();
  const work = async (connection) => {
    while (next < NEW + options.creates) await server.create(next++, connection);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, connection) => work(connection)));
  return options.creates / ((performance.now() - began) / 1000);
}

function print(sizes) {
  const percent = (value) => `${(value * 100).toFixed(1)} %`;
  for (const [size, { service, floor }] of Object.entries(sizes)) {
    console.log(`\n${Number(size).toLocaleString('en')} documents\n`);
    printTable(
      ['', 'service', 'PostgreSQL alone'],
      [
        ['found first by its title', percent(service.first), percent(floor.first)],
        ['mean reciprocal rank', service.mrr.toFixed(3), floor.mrr.toFixed(3)],
        ['hits of a phrase that have it', percent(service.precision), percent(floor.precision)],
        ['its document among the hits', percent(service.recall), percent(floor.recall)],
        ...Object.keys(service.latencies).flatMap((kind) =>
          ['p50', 'p99'].map((part) => [
            `${kind}, ${part}, ms`,
            short(service.latencies[kind][part]),
            short(floor.latencies[kind][part]),
          ]),
        ),
        ['created a second', short(service.creates), short(floor.creates)],
      ],
    );
  }
}
