/** Child processes, which are always ended by their PID, and their figures from /proc. */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const TIMEOUT_MS = 20_000;
/** Linux counts processor time in hundredths of a second, independently of the kernel's own clock. */
const TICK = 10_000;

const endings = [];

/** Calls `end` when the benchmark ends in any way, the latest first. Returns a function that calls it now. */
export function atEnd(end) {
  const once = async () => {
    const at = endings.indexOf(once);
    if (at < 0) return;
    endings.splice(at, 1);
    await end();
  };
  endings.push(once);
  return once;
}

export async function endAll() {
  while (endings.length > 0) {
    await endings
      .at(-1)()
      .catch((error) => console.error(`Error during the shutdown: ${error.message}`));
  }
}

let leaving = false;

/** Ends everything and exits. Only the first call has an effect: errors during the shutdown are expected. */
export async function leave(code, message) {
  if (leaving) return;
  leaving = true;
  if (message) console.error(message);
  await endAll();
  process.exit(code);
}

/** Starts a program that writes its output to a file. */
export function startProgram(program, args, { env, logFile }) {
  const log = openSync(logFile, 'a');
  return watched(spawn(program, args, { env, stdio: ['ignore', log, log] }));
}

/** Starts one of the benchmark's own modules, which ends when this process does. */
export function startModule(path, env = {}) {
  return watched(fork(path, { env: { ...process.env, ...env }, execArgv: [] }));
}

function watched(child) {
  child.on('error', () => {});
  const stop = atEnd(async () => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
    await ended;
    clearTimeout(late);
  });
  return { child, pid: child.pid, stop, isRunning: () => child.exitCode === null && child.signalCode === null };
}

/** The processor time of a process with all its threads, in microseconds; with `reaped`, also of its children that have ended. */
export async function cpuTime(pid, { reaped = false } = {}) {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  if (fields.length < 15) return 0;
  const [user, system, childrenUser, childrenSystem] = fields.slice(11, 15).map(Number);
  return (user + system + (reaped ? childrenUser + childrenSystem : 0)) * TICK;
}

export async function parentOf(pid) {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const parent = text.slice(text.lastIndexOf(')') + 2).split(' ')[1];
  return parent === undefined ? undefined : Number(parent);
}

export async function childrenOf(pid) {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = await Promise.all(pids.map(parentOf));
  return pids.filter((_, index) => parents[index] === pid);
}

/** The resident memory in MiB, including the processes of a cluster. */
export async function memoryOf(pid) {
  const all = await Promise.all([pid, ...(await childrenOf(pid))].map((one) => residentMib(one).catch(() => NaN)));
  return all.reduce((sum, one) => sum + one, 0);
}

/** The resident memory of one process in MiB; with `VmHWM`, its peak. */
export async function residentMib(pid, name = 'VmRSS') {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${name}:\\s*(\\d+) kB`, 'm').exec(status)?.[1] ?? NaN) / 1_024;
}

/** The processor time of a server in microseconds, including the processes of a cluster. */
export async function serverTime(pid) {
  const all = await Promise.all([pid, ...(await childrenOf(pid))].map((one) => cpuTime(one)));
  return all.reduce((sum, one) => sum + one, 0);
}

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Requests the URL until it answers 200, and returns the seconds since `since`. Throws when the process ends or after the time-out. */
export async function firstAnswer(url, process, { headers, since = performance.now(), timeoutMs = 60_000 } = {}) {
  while (performance.now() - since < timeoutMs) {
    if (!process.isRunning()) throw new Error(`The process for ${url} ended.`);
    const status = await fetch(url, { headers }).then(
      async (response) => (await response.arrayBuffer(), response.status),
      () => 0,
    );
    if (status === 200) return (performance.now() - since) / 1000;
    await sleep(10);
  }
  throw new Error(`${url} did not answer 200 within ${timeoutMs / 1000} s.`);
}
