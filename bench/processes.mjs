/** Child processes, ended by their pid whatever happens, and what /proc tells of them. */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const TIMEOUT_MS = 20_000;
/** Linux counts processor time in hundredths of a second, whatever the kernel's own clock. */
const TICK = 10_000;

const endings = [];

/** Has `end` called when the benchmark ends, however it does; the latest first. Returns a function that calls it now. */
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
      .catch((error) => console.error(`While cleaning up: ${error.message}`));
  }
}

/** Starts a program with its output in a file. */
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

/** Processor time in microseconds of a process, all its threads; with `reaped`, also of its children that have ended. */
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

/** Resident memory in MiB, that of its children (the processes of a cluster) included. */
export async function memoryOf(pid) {
  const all = await Promise.all([pid, ...(await childrenOf(pid))].map(ownMemoryOf));
  return all.reduce((sum, one) => sum + one, 0);
}

async function ownMemoryOf(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? NaN) / 1024;
}

/** Processor time of a server, that of the processes of its cluster included. */
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

/** Asks until the URL answers 200, and returns the seconds since `since`. Throws when the process ends or time is up. */
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
