/** `npm run bench -- inbox`: see README.md. */
import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { readOptions, runCommand } from './command.mjs';
import { FORM_FIELDS, submissionOf } from './data.mjs';
import { Postgres } from './postgres.mjs';
import { residentMib } from './processes.mjs';
import { circumstances, save } from './results.mjs';
import { ServiceSeed } from './seed-service.mjs';
import { configure, startService, TENANT } from './service.mjs';
import { printTable, short } from './table.mjs';

const HELP = `Lists, searches, filters, exports and erases submissions of a form with few and with many. See bench/README.md.

  npm run bench -- inbox [options]

  --few N       submissions of the form to compare with (1000)
  --many N      submissions of the other form (100000)
  --times N     requests of each kind (30)
  --dist DIR    the built service (dist/src)
  --note TEXT   a note to store with the results
`;
/** The median of a request beside many submissions, divided by that beside few. */
const MOST_TIMES = 1.5;
/** What an export of many may add to the memory that one of few takes. */
const MOST_MIB = 64;
const MOST_ERASURE_S = 60;
const LIMIT_MS = 1_800_000;
/** Rows that are loaded at once. More would be loaded without indexes, and the tables would have statistics. */
const PART = 25_000;
/** One submission of this many has the address that is erased. */
const ERASED_OF = 10;
const ERASED = 'erased@example.com';
/** No last line of an export has more bytes. */
const LAST_LINE = 200;
/** The number of the submission that is looked for. Both forms have it. */
const SOUGHT = 501;

const options = readOptions(HELP, { few: 1_000, many: 100_000, times: 30 });

await runCommand(LIMIT_MS, measure);

/** Returns whether the targets are reached. */
async function measure(folder) {
  const { dist, few, many } = options;
  const postgres = await Postgres.start({ dist, folder });
  const context = circumstances(options, postgres);
  const databaseUrl = await postgres.createDatabase('inbox');
  const service = await startService(configure({ dist, folder, databaseUrl }));
  const seed = await ServiceSeed.of(dist, databaseUrl);
  const forms = [];
  const create = async (name) => {
    const form = await service.send('POST', `/v1/forms/${TENANT}`, { name, fields: FORM_FIELDS });
    return { form, path: `/v1/forms/${TENANT}/${form.id}/submissions` };
  };
  // The statements are planned while the tables are empty.
  await firstSearch(service, (await create('Empty')).path);
  for (const count of [few, many]) {
    const { form, path } = await create(`Form of ${count}`);
    for (let from = 0; from < count; from += PART) {
      await seed.submissions(form, from, Math.min(count, from + PART), { valuesOf });
    }
    forms.push({ count, path, indexing: await firstSearch(service, path) });
  }
  const rows = await compare(service, forms);
  const exports = [];
  for (const { count, path } of forms) exports.push(await exported(service, path, count));
  const erasure = await erase(service);

  const isFast = rows.every(({ ratio }) => ratio <= MOST_TIMES);
  const isFlat = exports[1].mib - exports[0].mib <= MOST_MIB;
  const isErased = erasure.seconds <= MOST_ERASURE_S && erasure.submissions === (few + many) / ERASED_OF;
  const indexing = forms.map((form) => form.indexing);
  save('inbox', { circumstances: context, options: { ...options, dist: undefined }, rows, indexing, exports, erasure });
  console.log('\nMedians, in ms.\n');
  printTable(
    ['', ...[few, many].map((count) => count.toLocaleString('en')), 'ratio'],
    rows.map(({ name, medians, ratio }) => [name, ...medians.map(short), short(ratio)]),
  );
  console.log(`\n${verdict(isFast)}: at most ${MOST_TIMES} times as long.`);
  for (const [index, { count }] of forms.entries()) {
    const { seconds, longest, requests } = indexing[index];
    console.log(
      `The first search in ${count} submissions: ${short(seconds)} s, ${requests} requests, the longest ${short(longest)} s.`,
    );
  }
  for (const { count, seconds, mib } of exports) {
    console.log(`An export of ${count} submissions is complete: ${short(seconds)} s, at most ${short(mib)} MiB more.`);
  }
  console.log(`${verdict(isFlat)}: the memory of an export grows by at most ${MOST_MIB} MiB.`);
  console.log(`${verdict(isErased)}: ${erasure.submissions} submissions erased in ${short(erasure.seconds)} s.`);
  return isFast && isFlat && isErased;
}

function verdict(isReached) {
  return isReached ? 'Reached' : 'NOT REACHED';
}

/** The name of each is unique. */
function valuesOf(number) {
  const values = { ...submissionOf(number), name: `Somebody ${number}x` };
  return number % ERASED_OF === 0 ? { ...values, email: ERASED } : values;
}

/** Searches until the submissions are indexed. */
async function firstSearch(service, path) {
  const began = performance.now();
  let longest = 0;
  for (let requests = 1; ; requests++) {
    const sent = performance.now();
    const response = await fetch(`${service.url}${path}?search=nothing`, { headers: service.headers });
    await response.arrayBuffer();
    longest = Math.max(longest, (performance.now() - sent) / 1_000);
    if (response.ok) return { seconds: (performance.now() - began) / 1_000, requests, longest };
    if (response.status !== 503) throw new Error(`The search answered ${response.status}.`);
    await sleep(Number(response.headers.get('retry-after')) * 1_000);
  }
}

/** Measures each kind of request with both forms, in turns. */
async function compare(service, forms) {
  const email = encodeURIComponent(submissionOf(SOUGHT).email);
  const kinds = {
    list: '',
    'list in the full view': '?view=full',
    'sort by a field': '?sort=name',
    'filter, one match': `?filter[email]=${email}`,
    'filter, one of three': '?filter[topic]=press',
    'filter, part of a text': '?filter[message][contains]=sora',
    'search, one match': `?search=${SOUGHT}x`,
    'search, most': '?search=somebody',
    state: '?state=new',
    'any verdict': '?verdict=any',
    statistics: 'stats',
  };
  const rows = [];
  for (const [name, query] of Object.entries(kinds)) {
    const times = forms.map(() => []);
    for (let round = -3; round < options.times; round++) {
      for (const [index, { path }] of forms.entries()) {
        const url = query === 'stats' ? path.replace(/submissions$/, 'stats') : `${path}${query}`;
        const began = performance.now();
        await service.send('GET', url);
        if (round >= 0) times[index].push(performance.now() - began);
      }
    }
    const medians = times.map((all) => all.sort((a, b) => a - b)[all.length >> 1]);
    rows.push({ name, medians, ratio: medians[1] / medians[0] });
  }
  return rows;
}

/** Exports all submissions, counts them, and returns by how much the memory grew. */
async function exported(service, path, count) {
  const before = await residentMib(service.pid);
  // Resets the kernel's peak of the memory.
  await writeFile(`/proc/${service.pid}/clear_refs`, '5');
  const began = performance.now();
  const response = await fetch(`${service.url}${path}/export?format=ndjson`, { headers: service.headers });
  let lines = 0;
  let end = Buffer.alloc(0);
  for await (const chunk of response.body) {
    for (const byte of chunk) if (byte === 10) lines++;
    end = Buffer.concat([end, chunk]).subarray(-LAST_LINE);
  }
  const seconds = (performance.now() - began) / 1_000;
  const last = JSON.parse(end.toString().trim().split('\n').at(-1));
  if (lines !== count + 1 || last.count !== count) throw new Error(`The export has ${lines} lines: ${end}`);
  return { count, seconds, mib: (await residentMib(service.pid, 'VmHWM')) - before };
}

async function erase(service) {
  const began = performance.now();
  const path = `/v1/forms/${TENANT}/erasures`;
  const { id } = await service.send('POST', path, { email: ERASED });
  for (;;) {
    const { state, submissions } = await service.send('GET', `${path}/${id}`);
    if (state === 'done') return { submissions, seconds: (performance.now() - began) / 1_000 };
    await sleep(200);
  }
}
