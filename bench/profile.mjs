/** `--profile`: runs only the service under V8's sampling profiler, and prints its processor time by function and by package. */
import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { chosen } from './comparison.mjs';
import { CpuProfile } from './cpu-profile.mjs';
import { Load } from './load.mjs';
import { measure, Measurement } from './measure.mjs';
import { settle } from './postgres.mjs';
import { referencesOf } from './references.mjs';
import { written } from './requests.mjs';
import { circumstances, resultPath, save } from './results.mjs';
import { assertSameAnswers } from './same-answers.mjs';
import { setScene } from './scene.mjs';
import { startService } from './service.mjs';
import { printTable, short } from './table.mjs';
import { workloadsOf } from './workloads.mjs';

const TOP = 15;
const INTERVAL = 250;

export async function profile({ options, postgres, folder }) {
  const { entries, connections, dist } = options;
  const context = circumstances(options, postgres);
  const scene = await setScene({ options, postgres, folder });
  console.log(`Seeding ${entries.toLocaleString('en')} entries ...`);
  const references = await referencesOf(scene);
  await scene.seed.entries(scene.type, 0, entries);
  await references.grow(0, entries);
  await settle(scene.databaseUrl);

  const nodeArgs = ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval', String(INTERVAL)];
  const service = await startService(scene.configuration, { nodeArgs });
  const load = new Load();
  const runs = [];
  for (const workload of chosen(options, { ...scene, linkPath: references.path }, workloadsOf)) {
    const questions = await assertSameAnswers(workload.questions(), workload, [service]);
    const requests = questions.map((question) => written(question, workload.marker, service.port, service.headers));
    const into = new Measurement();
    const milliseconds = options.seconds * 1000;
    const window = await measure(load, {
      server: service,
      postgres,
      requests,
      connections,
      warmUp: 1_000,
      milliseconds,
      into,
    });
    runs.push({ title: workload.title, window, measurement: into });
    console.log(`${workload.title}: ${short(into.rate)} requests per second under the profiler`);
  }
  // The process writes the profile when it exits.
  await service.stop();

  const file = readdirSync(folder).find((name) => name.endsWith('.cpuprofile'));
  if (!file) throw new Error('The service wrote no profile.');
  const cpuProfile = new CpuProfile(JSON.parse(readFileSync(join(folder, file), 'utf8')), dist);
  const kept = resultPath(context, 'profile.cpuprofile');
  copyFileSync(join(folder, file), kept);

  const results = runs.map(({ title, window, measurement }) => {
    const samples = cpuProfile.within(window);
    return { title, requests: measurement.count, functions: samples.functions(), packages: samples.packages() };
  });
  printFunctions(results);
  printPackages(results);
  console.log(`\nThe complete profile, for a browser's developer tools: ${relative(process.cwd(), kept)}`);
  const top = results.map((one) => ({ ...one, functions: one.functions.slice(0, 40) }));
  save('profile', { circumstances: context, entries, connections, results: top });
  return true;
}

function printFunctions(results) {
  const sums = new Map();
  for (const { name, microseconds } of results.flatMap(({ functions }) => functions)) {
    sums.set(name, (sums.get(name) ?? 0) + microseconds);
  }
  const total = [...sums.values()].reduce((sum, one) => sum + one, 0);
  const top = [...sums].sort(([, a], [, b]) => b - a).slice(0, TOP);
  console.log(`\nThe functions with the most time of their own, as a share of all time that was not idle\n`);
  printTable(
    ['function', 'share'],
    top.map(([name, microseconds]) => [name, `${((100 * microseconds) / total).toFixed(1)} %`]),
  );
}

function printPackages(results) {
  const names = new Map();
  for (const { packages } of results) {
    for (const { name, microseconds } of packages) names.set(name, (names.get(name) ?? 0) + microseconds);
  }
  const top = [...names].sort(([, a], [, b]) => b - a).slice(0, TOP);
  const perRequest = ({ packages, requests }, wanted) => {
    const found = packages.find(({ name }) => name === wanted);
    return found ? short(found.microseconds / requests) : '';
  };
  console.log("\nMicroseconds per request by package (Node's own time counts for the code that called it)\n");
  printTable(
    ['', ...results.map(({ title }) => title)],
    top.map(([name]) => [name, ...results.map((one) => perRequest(one, name))]),
  );
}
