/** Runs the whole fuzz, from the first request to the result. */
import { setTimeout as sleep } from 'node:timers/promises';
import { short } from '../../bench/table.mjs';
import { Campaign } from './campaign.mjs';
import { quantile } from './coverage.mjs';
import { Findings } from './findings.mjs';
import { casesOf, validCasesOf } from './generators/cases.mjs';
import { casesElsewhere } from './generators/elsewhere.mjs';
import { burstOf, connectionCases } from './generators/framing.mjs';
import { logFaults } from './log.mjs';
import { WITHOUT_SUCCESS } from './people.mjs';
import { setStage } from './stage.mjs';

/** The share of the time after which memory is first measured. Every cache is full then. */
const WARM_UP = 0.3;
const QUIET_MS = 3_000;
/** The maximum growth of memory between the warm-up and the end. */
const MAX_GROWTH_MIB = { heap: 32, rss: 192 };
/** The largest burst exceeds what a process accepts at once. */
const BURSTS = [100, 500, 1_000, 2_600, 3_000];

/** Returns whether there were no findings. */
export async function fuzz({ seed, seconds, only, dist, folder, failures }) {
  console.log(
    `Seed ${seed}: npm run test:fuzz -- --seed ${seed}${only ? ` --only '${only}'` : ''} sends the same requests.`,
  );
  const stage = await setStage({ dist, folder, seed });
  const { world, sample, coverage } = stage;
  const findings = new Findings({ seed, port: world.port, folder: failures });
  const sources = sourcesOf(stage).filter(({ id }) => !only || id === only);
  if (sources.length === 0) throw new Error(`There is no operation ${only}.`);
  const campaign = new Campaign({ seed, sources, findings });
  for (const fault of sample.countFaults()) await findings.add('(sample)', fault);

  const began = performance.now();
  const until = (share) => () => performance.now() - began > seconds * 1000 * share;
  sample.watch();
  await campaign.run(until(WARM_UP));
  const warm = await quietMemory(world);
  // On a slow machine the first round takes longer, and every operation must have its turn.
  await campaign.run(() => campaign.rounds > 0 && until(1)());
  await sample.stop();
  const end = await quietMemory(world);

  await checkSample(sample, findings, 'after the requests');
  for (const fault of growthFaults(warm, end)) await findings.add('(memory)', fault);
  if (!only || only === '(connection)') await playBursts(stage, findings);
  await checkSample(sample, findings, 'after the bursts');
  await checkRest(stage, findings, sources);

  coverage.print();
  console.log(`\nMemory, MiB: after the warm-up ${describeMemory(warm)}; at the end ${describeMemory(end)}.`);
  const stalls = [...warm.stalls, ...end.stalls].sort((a, b) => b.ms - a.ms);
  console.log(
    `Longest stalls of the event loop, ms (processor time): ${
      stalls
        .slice(0, 8)
        .map(({ ms, cpuMs }) => `${ms} (${cpuMs})`)
        .join(', ') || 'none'
    }.`,
  );
  printSummary({ stage, campaign, findings, seed, seconds });
  return findings.count === 0;
}

function sourcesOf({ world, player, rawPlayer }) {
  const { document } = world;
  const play = (one) => player.play(one);
  return [
    ...document.operations.map((operation) => ({
      id: operation.id,
      cases: casesOf(document, operation),
      // Some cannot succeed in the world of the fuzzer.
      ...(!WITHOUT_SUCCESS.includes(operation.id) && { valid: validCasesOf(document, operation) }),
      play,
      casesATurn: operation.body || operation.inQuery.length > 3 ? 16 : 8,
    })),
    { id: '(other paths)', cases: casesElsewhere, play, casesATurn: 8 },
    { id: '(connection)', cases: connectionCases, play: (one) => rawPlayer.play(one), casesATurn: 16 },
  ];
}

/** Measures memory after all requests have ended and garbage was collected. */
async function quietMemory(world) {
  await sleep(QUIET_MS);
  return world.service.memory();
}

function growthFaults(warm, end) {
  return Object.entries(MAX_GROWTH_MIB).flatMap(([name, most]) => {
    const growth = end[name] - warm[name];
    if (growth <= most) return [];
    return [
      {
        kind: `${name} grows`,
        text: `${name} is ${short(growth)} MiB larger at the end than after the warm-up; the limit is ${most}.`,
      },
    ];
  });
}

async function checkSample(sample, findings, when) {
  await sample.compareAll(when);
  for (const fault of sample.faults.splice(0)) await findings.add('(sample)', fault);
}

/** Bursts come last: a service that cannot handle them might not respond to anything afterwards. */
async function playBursts({ rawPlayer }, findings) {
  for (const count of BURSTS) {
    const one = burstOf(count);
    const played = await rawPlayer.play(one);
    await sleep(500);
    played.faults.push(...(await rawPlayer.judgeOthers()));
    for (const fault of played.faults) await findings.add(`(connection) ${one.name}`, fault, { one, ...played });
  }
}

async function checkRest({ world, wire, judge, coverage }, findings, sources) {
  const { service, receiver } = world;
  for (const fault of await logFaults({
    logFile: service.logFile,
    secrets: judge.secrets,
    unavailable: coverage.unavailable,
  })) {
    await findings.add('(log)', fault);
  }
  for (const [path, { faults }] of receiver.mailboxes) {
    for (const text of faults) await findings.add('(deliveries)', { kind: `a delivery to ${path} is wrong`, text });
  }
  if (wire.surprises > 0)
    await findings.add('(connection)', { kind: 'bytes without a request', text: `${wire.surprises} times.` });
  if (!service.running.isRunning())
    await findings.add('(process)', { kind: 'the service has ended', text: 'The process has exited.' });
  const ids = sources.map(({ id }) => id).filter((id) => world.document.byId.has(id));
  for (const text of coverage.gaps(ids)) await findings.add('(coverage)', { kind: text, text });
}

function describeMemory({ heap, outside, rss }) {
  return `heap ${short(heap)}, other ${short(outside)}, RSS ${short(rss)}`;
}

function printSummary({ stage: { coverage, sample, world }, campaign, findings, seed, seconds }) {
  const { latencies, requests } = coverage;
  console.log(
    `\n${requests.toLocaleString('en')} requests, seed ${seed}, ${seconds} s, ${campaign.rounds} rounds over ` +
      `${world.document.operations.length} operations; p50 ${short(quantile(latencies, 0.5))} ms, p99 ${short(quantile(latencies, 0.99))} ms; ` +
      `another tenant's ${sample.latencies.length} reads p50 ${short(quantile(sample.latencies, 0.5))} ms, p99 ${short(quantile(sample.latencies, 0.99))} ms; ` +
      `${findings.count === 0 ? 'no findings' : `${findings.count} findings:`}`,
  );
  findings.summarize();
}
