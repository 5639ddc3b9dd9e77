/** Runs one attack: the victim alone, during the attack, and until it is as fast as before. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Attack } from './attack.mjs';
import { boundOf, faultsOf, figuresOf, stateOf } from './judge.mjs';
import { watchOthers } from './noise.mjs';
import { tenantOf, VICTIM_TENANT } from './world.mjs';

const SETUP_LIMIT_MS = 80_000;
const VERIFY_LIMIT_MS = 30_000;
/** The time that an attack has to stop after the signal. */
const ENDING_MS = 10_000;
const DELIVERY_LIMIT_MS = 10_000;
const RECOVERY_WINDOW_MS = 500;
const MAX_MIB = 800;
const RECOVER_WITHIN_MS = 5_000;

/** The seconds of each phase. */
const TIMES = {
  full: { warmUp: 0.8, alone: 2, attack: 7, recovery: 10 },
  short: { warmUp: 0.5, alone: 1.2, attack: 3, recovery: 8 },
};

/** Returns {alone, beside, bound, recoveredMs, peakMib, others, counts, notes, faults}. Failures of the service never make it throw. */
export async function measured(world, scenario, seconds) {
  const times = TIMES[world.isShort ? 'short' : 'full'];
  const { service, victim } = world;
  await world.restart(scenario.env);
  const attack = await Attack.load(scenario, contextOf(world, scenario));
  try {
    if (scenario.setUp) await attack.run('setUp', { limitMs: SETUP_LIMIT_MS });
    world.victimGo();
    await sleep(times.warmUp * 1000);
    const aloneFrom = Date.now();
    await sleep(times.alone * 1000);
    service.resetPeak();

    const othersShare = await watchOthers(service);
    const from = Date.now();
    const result = await underAttack(
      world,
      scenario,
      attack,
      seconds ?? scenario.seconds?.[world.isShort ? 1 : 0] ?? times.attack,
    );
    const to = Date.now();
    const alone = figuresOf(victim, { from: aloneFrom, to: from });
    const others = await othersShare();
    const { recoveredMs, isWell } = await recovery(world, alone, to, times.recovery * 1000);
    await deliveriesArrived(victim, from, to);
    const peakMib = service.peakMib;
    const beside = figuresOf(victim, { from, to });
    victim.halt();

    const { maxMib = MAX_MIB, recoverWithinMs = RECOVER_WITHIN_MS } = scenario;
    const bound = boundOf(alone, world.isShort) * (scenario.boundFactor ?? 1);
    const faults = faultsOf({ alone, beside, bound, recoveredMs, isWell, recoverWithinMs, peakMib, maxMib });
    faults.push(...result.faults.map(hard));
    if (!service.isRunning) faults.push(hard(`the service ended: ${service.exit}`));
    else if (scenario.verify) {
      const { faults: found, notes } = await verified(attack);
      faults.push(...found.map(hard));
      result.notes.push(...notes);
    }
    const { counts, notes, data } = result;
    return { alone, beside, bound, recoveredMs, peakMib, others, counts, notes, data, faults };
  } finally {
    await attack.end();
  }
}

async function underAttack(world, scenario, attack, seconds) {
  const running = attack.run('attack', { limitMs: seconds * 1000 + ENDING_MS, seconds }).catch((error) => ({
    faults: [`the attack: ${error.message}`],
    counts: {},
    notes: [],
  }));
  // An attack may end before its time.
  await Promise.race([running, sleep(seconds * 1000)]);
  attack.over();
  return running;
}

/**
 * Returns the milliseconds from the end of the attack to the first of two good windows (undefined if there were none in time), and whether
 * every response in the last window was correct.
 */
async function recovery({ victim, service }, alone, from, limitMs) {
  let good = 0;
  let isWell = false;
  for (let at = from; at < from + limitMs; at += RECOVERY_WINDOW_MS) {
    await sleep(Math.max(0, at + 2 * RECOVERY_WINDOW_MS - Date.now()));
    if (!service.isRunning) return { isWell: false };
    const state = stateOf(victim, alone, at, at + RECOVERY_WINDOW_MS);
    isWell = state.isWell;
    good = state.isFast ? good + 1 : 0;
    if (good === 2) return { recoveredMs: at - RECOVERY_WINDOW_MS - from, isWell };
  }
  return { isWell };
}

/** Waits up to the limit for the deliveries of entries that were acknowledged during the attack. */
async function deliveriesArrived(victim, from, to) {
  const deadline = to + DELIVERY_LIMIT_MS;
  while (Date.now() < deadline && victim.deliveries(from, to).includes(Infinity)) await sleep(100);
}

async function verified(attack) {
  try {
    return await attack.run('verify', { limitMs: VERIFY_LIMIT_MS });
  } catch (error) {
    return { faults: [`the check after the attack: ${error.message}`], notes: [] };
  }
}

function hard(text) {
  return { text, isLatency: false };
}

function contextOf(world, scenario) {
  const tenantId = tenantOf(scenario);
  const keys = world.keysOf(tenantId);
  const others = (scenario.otherTenants ?? []).map((id) => ({ tenantId: id, key: world.keysOf(id).all }));
  const victim = { tenantId: VICTIM_TENANT, key: world.keysOf(VICTIM_TENANT).all, paths: world.paths };
  const { port, dataDir } = world.service;
  return { port, dataDir, tenantId, key: keys.all, keys, others, victim, isShort: world.isShort };
}
