/** `npm run bench -- locales`: see COMMANDS.md. */
import { readOptions, runCommand } from './command.mjs';
import { COMMON_WORD, FIELDS, midFrequencyWord, randomFrom, statusOf, titleOf, valuesOf } from './data.mjs';
import { withoutIndexes } from './indexes.mjs';
import { Postgres, settle, using } from './postgres.mjs';
import { circumstances, save } from './results.mjs';
import { configure, startService, TENANT } from './service.mjs';
import { printTable, short } from './table.mjs';

const HELP = `Reads and writes entries in five locales, and compares each request with the same one without a locale. See bench/COMMANDS.md.

  npm run bench -- locales [options]

  --entries N   entries of each content type: 10000, or a multiple of it up to 1000000 (10000)
  --times N     requests of each kind (200)
  --only TEXT   only kinds of requests whose name has this text
  --dist DIR    the built service (dist/src)
  --note TEXT   a note to store with the results
`;
/** The median of a request in a locale, divided by that of the same request without one. */
const MOST_TIMES = 1.2;
/** Entries that requests create. More are copies of these. */
const SENT = 10_000;
const BATCH = 100;
const LIMIT_MS = 4 * 3_600_000;
/** One word of this many is the same in all languages, as names are. */
const SHARED = 10;
const CODES = ['de', 'fr', 'es', 'it'];
const LOCALIZED = ['title', 'subtitle', 'body'];
/** Entries of which nothing is translated, and of which only the title is: one of this many each. */
const PARTLY = 5;
/** The numbers of entries that are created while it is measured. */
const NEW = 20_000_000;
const TABLES = ['entries', 'entry_values', 'entry_words', 'entry_locale_words'];

const options = readOptions(HELP, { entries: SENT, times: 200, only: '' });

await runCommand(LIMIT_MS, measure);

/** Returns whether the target is reached. */
async function measure(folder) {
  const { dist, entries, times } = options;
  const postgres = await Postgres.start({ dist, folder });
  const context = circumstances(options, postgres);
  const databaseUrl = await postgres.createDatabase('locales');
  const service = await startService(configure({ dist, folder, databaseUrl }));
  const locales = ['en', ...CODES].map((code) => ({ code }));
  await service.send('PUT', `/v1/locales/${TENANT}`, { default: 'en', locales });
  const empty = await sizesOf(databaseUrl);
  const plain = await seeded(service, 'Plain', FIELDS, valuesOf);
  await multiply(databaseUrl, plain);
  const small = await sizesOf(databaseUrl);
  const fields = FIELDS.map((field) => ({ ...field, ...(LOCALIZED.includes(field.name) && { localized: true }) }));
  const localized = await seeded(service, 'Localized', fields, localizedValuesOf);
  await multiply(databaseUrl, localized);
  const large = await sizesOf(databaseUrl);
  await settle(databaseUrl);
  const rows = await compare(service, { plain, localized });
  const bytes = TABLES.map((table) => {
    const [one, other] = [small[table] - empty[table], large[table] - small[table]].map((all) => all / entries);
    return { table, plain: one, localized: other };
  });

  const isFast = rows.every(({ ratio, isTarget }) => !isTarget || ratio <= MOST_TIMES);
  save('locales', { circumstances: context, options: { ...options, dist: undefined }, rows, bytes });
  console.log(`\nMedians of ${times} requests, in ms, with ${entries.toLocaleString('en')} entries in five locales.\n`);
  printTable(
    ['', 'without', 'with', 'ratio'],
    rows.map(({ name, medians, ratio }) => [name, ...medians.map(short), ratio.toFixed(2)]),
  );
  console.log('\nBytes of an entry, with indexes.\n');
  printTable(
    ['table', 'not localized', 'five locales', 'ratio'],
    bytes.map(({ table, plain: one, localized: other }) => [
      table,
      ...[one, other].map((all) => Math.round(all).toLocaleString('en')),
      one > 0 ? (other / one).toFixed(2) : '',
    ]),
  );
  console.log(`\n${isFast ? 'Reached' : 'NOT REACHED'}: at most ${MOST_TIMES} times as long with locale=de.`);
  return isFast;
}

/** A content type with the first entries, which requests create. */
async function seeded(service, name, fields, valuesOfEntry) {
  const type = await service.send('POST', `/v1/content/${TENANT}/types`, { name, fields, language: 'en' });
  const path = `/v1/content/${TENANT}/types/${type.id}/entries`;
  const ids = [];
  const numbers = Array.from({ length: Math.min(SENT, options.entries) }, (_, index) => index);
  for (let from = 0; from < numbers.length; from += BATCH) {
    const operations = numbers.slice(from, from + BATCH).map((number) => ({
      op: 'create',
      content_type: type.id,
      ...(name === 'Localized' && { locale: '*' }),
      fields: valuesOfEntry(number),
      status: statusOf(number),
    }));
    const results = await service.send('POST', `/v1/content/${TENANT}/bulk`, { operations });
    ids.push(...results.map((result) => result.entry_id));
  }
  return { id: type.id, path, ids, valuesOf: valuesOfEntry };
}

/** Copies the entries of a content type until there are as many as asked for. The copies have other IDs. */
async function multiply(databaseUrl, { ids }) {
  const copies = Math.ceil(options.entries / ids.length) - 1;
  if (copies < 1) return;
  await using(databaseUrl, (client) =>
    withoutIndexes(client, TABLES, async () => {
      const { rows } = await client.query('SELECT id FROM content_types ORDER BY created_at DESC LIMIT 1');
      const [{ id: typeId }] = rows;
      for (const table of TABLES) {
        const id = table === 'entries' ? 'id' : 'entry_id';
        const columns = await client.query(
          `SELECT string_agg(quote_ident(attname), ', ') AS others FROM pg_attribute
            WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attname <> $2`,
          [table, id],
        );
        const [{ others }] = columns.rows;
        await client.query(
          `INSERT INTO ${table} (${id}, ${others})
            SELECT (left(${id}::text, 24) || left(md5(concat(${id}, copy)), 12))::uuid, ${others}
            FROM ${table}, generate_series(1, $2::int) AS copy WHERE content_type_id = $1`,
          [typeId, copies],
        );
      }
      await client.query(
        'UPDATE entry_counts SET drafts = drafts * $2::int, published = published * $2::int WHERE content_type_id = $1',
        [typeId, copies + 1],
      );
    }),
  );
}

/** Measures each kind of request without and with a locale, in turns. The first of each pair is the one to compare with. */
async function compare(service, { plain, localized }) {
  const random = randomFrom(7);
  const some = () => Math.floor(random() * localized.ids.length);
  const word = () => {
    for (;;) {
      const one = midFrequencyWord(random, SENT);
      if (isShared(one)) return one;
    }
  };
  const ownWord = () => midFrequencyWord(random, SENT);
  const get = (query = '') => ({ method: 'GET', path: `${localized.path}${query}` });
  const inGerman = ({ path, ...others }) => ({ ...others, path: `${path}${path.includes('?') ? '&' : '?'}locale=de` });
  const same = (request) => [request, inGerman(request)];
  const exact = () => {
    const number = some();
    const title = titleOf(number);
    return [
      get(`?filter[title]=${encodeURIComponent(title)}`),
      inGerman(get(`?filter[title]=${encodeURIComponent(shownTitle(number, title))}`)),
    ];
  };
  const search = (text, more = '') => same(get(`?search=${encodeURIComponent(text)}${more}`));
  const german = (one) => [
    get(`?search=${encodeURIComponent(one)}`),
    inGerman(get(`?search=${encodeURIComponent(translated(one, 'de'))}`)),
  ];
  let next = NEW;
  const create = (type) => ({
    method: 'POST',
    path: type.path,
    body: { fields: valuesOf(next++), status: 'published' },
  });
  const update = (locale) => ({
    method: 'PATCH',
    path: `${localized.path}/${localized.ids[some()]}${locale}`,
    body: { fields: { title: titleOf(next++) } },
  });
  const ownValues = () => Object.fromEntries(LOCALIZED.map((name) => [name, translated(valuesOf(next++)[name], 'de')]));
  const kinds = [
    ['get one', true, () => same(get(`/${localized.ids[some()]}`))],
    ['newest 25, total', true, () => same(get())],
    ['filter, exact title', true, exact],
    ['filter, part of a text', true, () => same(get(`?filter[title][contains]=${word()}`))],
    ['sort by title, 25', true, () => same(get('?sort=title'))],
    ['search, a word in 1 %, in all languages', true, () => search(word())],
    ['search, a word in 1 %, of one language', true, () => german(ownWord())],
    ['search, a word in all', true, () => search(COMMON_WORD)],
    ['search, two words', true, () => search(`${COMMON_WORD} ${word()}`)],
    ['search, a phrase', true, () => search(`"${COMMON_WORD} ${word()}"`)],
    ['search, beginnings', true, () => search(`${word().slice(0, 4)}*`)],
    ['search, with highlights', true, () => search(word(), '&highlight=true')],
    [
      'search, fallback=none',
      true,
      () =>
        search(word()).map(({ path, ...others }, index) => ({
          ...others,
          path: index ? `${path}&fallback=none` : path,
        })),
    ],
    ['create: a type with locales and one without', false, () => [create(plain), create(localized)]],
    [
      'create in five locales and in one',
      false,
      () => [
        create(localized),
        {
          method: 'POST',
          path: `${localized.path}?locale=*`,
          body: { fields: localizedValuesOf(PARTLY * next++ + 2), status: 'published' },
        },
      ],
    ],
    ['update in German and in the default locale', false, () => [update(''), update('?locale=de')]],
    [
      'update: all German texts, and one',
      false,
      () => [update('?locale=de'), { ...update('?locale=de'), body: { fields: ownValues() } }],
    ],
  ];
  const rows = [];
  for (const [name, isTarget, requests] of kinds) {
    if (!name.includes(options.only)) continue;
    const durations = [[], []];
    for (let round = -10; round < options.times; round++) {
      const pair = requests().map((request, index) => ({ request, index }));
      // Each goes first half of the time.
      for (const { request, index } of round % 2 === 0 ? pair : pair.reverse()) {
        const began = performance.now();
        await service.send(request.method, request.path, request.body);
        if (round >= 0) durations[index].push(performance.now() - began);
      }
    }
    const medians = durations.map((all) => all.sort((a, b) => a - b)[all.length >> 1]);
    rows.push({ name, isTarget, medians, ratio: medians[1] / medians[0] });
  }
  return rows;
}

/** The values of an entry by locale. Some entries are not translated, and of some others only the title. */
function localizedValuesOf(number) {
  const values = valuesOf(number);
  const names = namesIn(number);
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (!LOCALIZED.includes(name)) return [name, value];
      const others = names.includes(name) ? CODES.map((code) => [code, translated(value, code)]) : [];
      return [name, { en: value, ...Object.fromEntries(others) }];
    }),
  );
}

/** The fields that are translated. */
function namesIn(number) {
  if (number % PARTLY === 0) return [];
  return number % PARTLY === 1 ? ['title'] : LOCALIZED;
}

function shownTitle(number, title) {
  return namesIn(number).includes('title') ? translated(title, 'de') : title;
}

/** The text with the words of another language. */
function translated(text, code) {
  return text.replace(/<[^>]*>|[a-z]+/gi, (one) => (one.startsWith('<') || isShared(one) ? one : `${one}${code}`));
}

function isShared(word) {
  const text = word.toLowerCase();
  if (text === COMMON_WORD) return true;
  let sum = 0;
  for (let index = 0; index < text.length; index++) sum = (sum * 31 + text.charCodeAt(index)) % 1_000_003;
  return sum % SHARED === 0;
}

/** The bytes of the tables with their indexes. */
async function sizesOf(databaseUrl) {
  return using(databaseUrl, async (client) => {
    const { rows } = await client.query(
      'SELECT name, pg_total_relation_size(name::regclass)::float8 AS bytes FROM unnest($1::text[]) AS t (name)',
      [TABLES],
    );
    return Object.fromEntries(rows.map(({ name, bytes }) => [name, bytes]));
  });
}
