/** The default mode: measures the service and the floor alternately, workload by workload. */
import { fileURLToPath } from 'node:url';
import { Load, measureCeiling } from './load.mjs';
import { measure, Measurement } from './measure.mjs';
import { settle } from './postgres.mjs';
import { firstAnswer, freePort, memoryOf, startModule } from './processes.mjs';
import { written } from './requests.mjs';
import { circumstances, save } from './results.mjs';
import { referencesOf } from './references.mjs';
import { assertSameAnswers } from './same-answers.mjs';
import { setScene } from './scene.mjs';
import { seedFloor } from './seed-floor.mjs';
import { startService } from './service.mjs';
import { printTable, short } from './table.mjs';
import { workloadsOf } from './workloads.mjs';

const FLOOR = fileURLToPath(new URL('./floor.mjs', import.meta.url));
const STARTS = 3;

export async function compare({ options, postgres, folder }) {
  const { entries, connections, rounds } = options;
  const context = circumstances(options, postgres);
  const scene = await setScene({ options, postgres, folder });
  console.log(`Seeding ${entries.toLocaleString('en')} entries, twice ...`);
  const floorUrl = await postgres.createDatabase('floor');
  const references = await referencesOf(scene);
  await scene.seed.entries(scene.type, 0, entries);
  await references.grow(0, entries);
  await seedFloor(floorUrl, { ids: scene.seed.ids, typeId: scene.type.id, references, count: entries });
  for (const url of [scene.databaseUrl, floorUrl]) await settle(url);

  const firstEntry = `${scene.path}/${scene.seed.entryId(0)}`;
  const service = await lastOfStarts(() => startService(scene.configuration));
  const floor = await lastOfStarts(() => startFloor(floorUrl, firstEntry));
  const load = new Load();
  const ceiling = await measureCeiling(load, connections);
  console.log(
    `The load generator's own maximum: ${short(ceiling.small)} requests per second for responses with one entry, ` +
      `${short(ceiling.large)} with 25.`,
  );

  const results = [];
  const data = { ...scene, linkPath: references.path };
  for (const workload of chosen(options, data, workloadsOf)) {
    const questions = await assertSameAnswers(workload.questions(), workload, [service, floor]);
    const servers = [service, floor].map((server) => ({
      server,
      requests: questions.map((question) => written(question, workload.marker, server.port, server.headers)),
      into: new Measurement(),
    }));
    const milliseconds = (options.seconds * 1000) / rounds;
    for (let round = 0; round < rounds; round++) {
      // Alternate which server goes first, so that other work on the machine affects both.
      for (const one of round % 2 ? [...servers].reverse() : servers) {
        const requests = workload.once ? partOf(one.requests, round, rounds) : one.requests;
        await measure(load, {
          ...one,
          requests,
          postgres,
          connections,
          warmUp: Math.min(1_000, milliseconds / 2),
          milliseconds,
        });
      }
    }
    const [own, least] = servers.map(({ into }) => into.summary());
    results.push({ workload: workload.name, title: workload.title, service: own, floor: least });
    console.log(`${workload.title}: ${short(own.rps)} and ${short(least.rps)} requests per second`);
  }

  const processes = {
    service: { rss_mib: await memoryOf(service.pid), start_s: service.seconds },
    floor: { rss_mib: await memoryOf(floor.pid), start_s: floor.seconds },
  };
  print(results, processes);
  save('table', {
    circumstances: context,
    entries,
    connections,
    seconds: options.seconds,
    ceiling,
    processes,
    results,
  });
}

/** The requested workloads that can be measured. */
export function chosen({ entries, only }, { path, linkPath, formPath, checkedPath, checkedFields, seed }, workloads) {
  const all = workloads({
    entries,
    path,
    linkPath,
    formPath,
    checkedPath,
    checkedFields,
    entryId: (number) => seed.entryId(number),
  });
  const unknown = only?.find((name) => !all.some((workload) => workload.name === name));
  if (unknown)
    throw new Error(`Unknown workload ${unknown}. The workloads are: ${all.map(({ name }) => name).join(' ')}`);
  const needed = { include: linkPath, submit: formPath, checked: checkedPath };
  const impossible = Object.keys(needed).filter((name) => !needed[name]);
  return all.filter(({ name }) => (!only || only.includes(name)) && !impossible.includes(name));
}

/** The requests of a round, which no other round sends. */
function partOf(requests, round, rounds) {
  const length = Math.floor(requests.length / rounds);
  return requests.slice(round * length, (round + 1) * length);
}

async function startFloor(databaseUrl, path) {
  const port = await freePort();
  const began = performance.now();
  const running = startModule(FLOOR, { DATABASE_URL: databaseUrl, PORT: String(port), NODE_ENV: 'production' });
  const url = `http://127.0.0.1:${port}`;
  const seconds = await firstAnswer(`${url}${path}`, running, { since: began });
  return { ...running, port, url, headers: {}, seconds };
}

/** Starts a server several times. Returns the last one, with the median of all start times. */
async function lastOfStarts(start) {
  const times = [];
  for (;;) {
    const server = await start();
    times.push(server.seconds);
    if (times.length === STARTS) {
      server.seconds = times.sort((a, b) => a - b)[Math.floor(STARTS / 2)];
      return server;
    }
    await server.stop();
  }
}

function print(results, { service, floor }) {
  const columns = ({ rps, p50_ms, p99_ms, server_cpu_us, postgres_cpu_us }) =>
    [rps, p50_ms, p99_ms, server_cpu_us, postgres_cpu_us].map(short);
  console.log(
    '\nThe service ("ratio" is its share of the floor\'s rate), then the floor. Times in ms, processor time per request in µs.\n',
  );
  printTable(
    [
      '',
      'ratio',
      'rps',
      'p50',
      'p99',
      'cpu',
      'pg cpu',
      'p99/p50',
      'floor rps',
      'p50',
      'p99',
      'cpu',
      'pg cpu',
      'client',
    ],
    results.map(({ title, service, floor }) => [
      title,
      (service.rps / floor.rps).toFixed(2),
      ...columns(service),
      service.p99_to_p50.toFixed(1),
      ...columns(floor),
      `${Math.round(floor.generator_busy * 100)} %`,
    ]),
  );
  console.log(
    `\nMemory after the run: ${short(service.rss_mib)} MiB (floor ${short(floor.rss_mib)}). ` +
      `Warm start to the first response: ${service.start_s.toFixed(2)} s (floor ${floor.start_s.toFixed(2)}).`,
  );
}
