/** `--growth`: measures only the service, while one type grows beside many others. Compares each latency with that at 10,000 entries. */
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { chosen } from './comparison.mjs';
import { growthWorkloadsOf } from './growth-workloads.mjs';
import { Load } from './load.mjs';
import { measure, Measurement } from './measure.mjs';
import { explain } from './plans.mjs';
import { settle, using } from './postgres.mjs';
import { memoryOf } from './processes.mjs';
import { referencesOf } from './references.mjs';
import { written } from './requests.mjs';
import { circumstances, resultPath, save } from './results.mjs';
import { assertSameAnswers } from './same-answers.mjs';
import { setScene } from './scene.mjs';
import { startService, TENANT } from './service.mjs';
import { printTable, short } from './table.mjs';
import { walk } from './walk.mjs';

const SIZES = [1_000, 10_000, 100_000, 1_000_000];
const BASE = 10_000;
const NEIGHBOURS = Array.from({ length: 1_000 }, (_, index) => `ten_neighbour${index}`);
const WARM_UP = 300;

export async function grow({ options, postgres, folder }) {
  const context = circumstances(options, postgres);
  const scene = await setScene({ options, postgres, folder, neighbours: NEIGHBOURS });
  scene.seed.versions = options.versions;
  console.log('Seeding 1,000 other tenants, and 20 other types of this one ...');
  await scene.seed.neighbours(NEIGHBOURS, scene.type, { types: 2, entries: 5 });
  await scene.seed.neighbours([TENANT], scene.type, { types: 20, entries: 50 });

  const references = await referencesOf(scene);
  const steps = [];
  let seeded = 0;
  for (const entries of SIZES.filter((size) => size <= options.max)) {
    const began = performance.now();
    await scene.seed.entries(scene.type, seeded, entries);
    await references.grow(seeded, entries);
    if (scene.form) await scene.seed.submissions(scene.form, seeded, entries);
    await settle(scene.databaseUrl);
    seeded = entries;
    console.log(`\n${entries.toLocaleString('en')} entries, seeded in ${short((performance.now() - began) / 1000)} s`);
    steps.push(
      await measureStep({
        options: { ...options, entries },
        postgres,
        scene: { ...scene, linkPath: references.path },
        context,
      }),
    );
  }
  print(steps);
  save('growth', { circumstances: context, connections: options.connections, seconds: options.seconds, steps });
  return !steps.some(({ results }) => Object.values(results).some(({ failed }) => failed));
}

async function measureStep({ options, postgres, scene, context }) {
  const { entries, connections, only } = options;
  const service = await startService(scene.configuration);
  const load = new Load();
  const results = {};
  const workloads = chosen({ ...options, only: only?.filter((name) => name !== 'walk') }, scene, growthWorkloadsOf);
  for (const workload of workloads) {
    const into = new Measurement();
    const milliseconds = options.seconds * 1000;
    try {
      const questions = await assertSameAnswers(workload.questions(), workload, [service]);
      const requests = questions.map((question) => written(question, workload.marker, service.port, service.headers));
      await measure(load, { server: service, postgres, requests, connections, warmUp: WARM_UP, milliseconds, into });
      results[workload.title] = into.summary();
      console.log(`  ${workload.title}: ${short(results[workload.title].p50_ms)} ms`);
    } catch (error) {
      if (!service.isRunning()) throw error;
      // A request that is too slow at this size must not stop the others.
      results[workload.title] = { failed: error.message };
      console.log(`  ${workload.title}: ${error.message}`);
      await load.close();
    }
  }
  if (!only || only.includes('walk')) {
    const { pages, ...parts } = await walk(service, scene.path);
    for (const [part, mean] of Object.entries(parts)) results[`cursor, 100 at the ${part}`] = { p50_ms: mean };
    console.log(`  cursor: all ${pages.toLocaleString('en')} pages, every entry once`);
  }
  const memory = await memoryOf(service.pid);
  await Promise.all([service.stop(), load.process.stop()]);
  if (options.explain) keepPlans(await explain({ postgres, scene, workloads, results }), context, entries);
  const size = await using(scene.databaseUrl, async (client) => {
    const { rows } = await client.query('SELECT pg_database_size(current_database())::float8 AS size');
    return rows[0].size / 2 ** 20;
  });
  return { entries, rss_mib: memory, database_mib: size, start_s: service.seconds, results };
}

function keepPlans(plans, context, entries) {
  const path = resultPath(context, `plans-${entries}.txt`);
  const texts = Object.entries(plans).map(([title, list]) => `# ${title}\n\n${list.join('\n\n')}\n`);
  writeFileSync(path, texts.join('\n'));
  console.log(`  Plans in ${relative(process.cwd(), path)}`);
}

/** Prints the median latency at each size and, above the base size, its ratio to the base. */
function print(steps) {
  const base = steps.find(({ entries }) => entries === BASE);
  const titles = [...new Set(steps.flatMap(({ results }) => Object.keys(results)))];
  const cells =
    (title) =>
    ({ entries, results }) => {
      const median = results[title]?.p50_ms;
      if (entries <= BASE) return [median === undefined ? '' : short(median)];
      const ratio = median / base?.results[title]?.p50_ms;
      return [median === undefined ? '' : short(median), Number.isNaN(ratio) ? '' : `${ratio.toFixed(2)}×`];
    };
  console.log('\nMedian latency in ms, and its ratio to that at 10,000 entries\n');
  printTable(
    ['entries', ...steps.flatMap(({ entries }) => [entries.toLocaleString('en'), ...(entries > BASE ? [''] : [])])],
    titles.map((title) => [title, ...steps.flatMap(cells(title))]),
  );
  for (const { entries, rss_mib, database_mib } of steps) {
    console.log(
      `${entries.toLocaleString('en')} entries: ${short(database_mib)} MiB of database, ${short(rss_mib)} MiB of memory in use.`,
    );
  }
}
