/** Measures how much of the machine other programs use, since that makes times unreliable. */
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { childrenOf, cpuTime } from '../../bench/processes.mjs';

/** Above this share, an exceeded time limit might hold on a quiet machine. */
const NOISY_SHARE = 0.2;

/** Linux counts processor time in hundredths of a second. */
const TICK_US = 10_000;

/** Starts measuring. The returned function resolves with the share (0 to 1) of the processors that other programs have used since. */
export async function watchOthers(service) {
  const began = { at: performance.now(), busy: await busyTime(), own: await ownTimes(service) };
  return async () => {
    const own = await ownTimes(service);
    const ownTime = [...own].reduce((sum, [pid, time]) => sum + time - (began.own.get(pid) ?? 0), 0);
    const microseconds = (performance.now() - began.at) * 1000 * availableParallelism();
    return Math.max(0, (await busyTime()) - began.busy - ownTime) / microseconds;
  };
}

/** The microseconds that all processors were busy, without waiting for disks. */
async function busyTime() {
  const [line = ''] = (await readFile('/proc/stat', 'utf8')).split('\n');
  const [user, nice, system, , , irq, softirq] = line.split(/\s+/).slice(1).map(Number);
  return (user + nice + system + irq + softirq) * TICK_US;
}

/** The processor time of every participating process by PID, including the server's backends that have ended. */
async function ownTimes(service) {
  const database = await service.databasePid();
  const pids = [...(await familyOf(process.pid)), ...(database === undefined ? [] : await familyOf(database))];
  const times = await Promise.all([...new Set(pids)].map(async (pid) => [pid, await cpuTime(pid, { reaped: true })]));
  return new Map(times);
}

async function familyOf(pid) {
  const children = await childrenOf(pid);
  return [pid, ...(await Promise.all(children.map(familyOf))).flat()];
}

export function isNoisy({ others = 0 }) {
  return others > NOISY_SHARE;
}
