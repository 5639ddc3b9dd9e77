/** The built service on an embedded PostgreSQL of its own, as `npm start` has it, and what /proc tells of it. */
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setInterval, clearInterval } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import { atEnd, childrenOf, freePort, startProgram } from '../../bench/processes.mjs';
import { send } from './ask.mjs';
import { PROBE } from './addresses.mjs';

const SAMPLE_EVERY_MS = 100;
const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 40_000;
const DATABASE_STOP_LIMIT_MS = 20_000;

export class Service {
  /** MiB: the most that the service's own processes held since `resetPeak`, PostgreSQL not counted. */
  peakMib = 0;

  constructor({ dist, env, dataDir, logFile }) {
    Object.assign(this, { dist, env, dataDir, logFile });
    atEnd(() => this.end());
  }

  /** Starts on a free port and waits until it is ready. PostgreSQL is taken over where an earlier process left it running. */
  async start(env = {}) {
    this.port = await freePort();
    const began = performance.now();
    this.running = startProgram(process.execPath, [join(this.dist, 'main.js')], {
      env: { ...this.env, ...env, PORT: String(this.port) },
      logFile: this.logFile,
    });
    this.isExpectedToEnd = false;
    this.exit = undefined;
    this.running.child.once('exit', (code, signal) => (this.exit = signal ?? code));
    while (!(await this.isReady())) {
      if (!this.isRunning) throw new Error(`The service ended as it started: ${this.exit}.`);
      if (performance.now() - began > START_LIMIT_MS) throw new Error('The service did not become ready.');
      await sleep(20);
    }
    this.resetPeak();
    this.sampler = setInterval(() => void this.sample(), SAMPLE_EVERY_MS);
  }

  get isRunning() {
    return this.running?.isRunning() ?? false;
  }

  get pid() {
    return this.running.pid;
  }

  /** The status of /health/ready, or what kept it from answering. */
  async readiness() {
    const options = { port: this.port, path: '/health/ready', address: PROBE, timeoutMs: 2_000 };
    return send(options).then(
      ({ status }) => status,
      ({ code }) => code,
    );
  }

  async isReady() {
    return (await this.readiness()) === 200;
  }

  /** kill -9 of the service alone; its PostgreSQL goes on, as after a crash. */
  async kill() {
    await this.signal('SIGKILL', 10_000);
  }

  /** Sends a signal and returns the exit code or signal, and undefined when it has not ended within the limit. */
  async signal(name, limitMs = STOP_LIMIT_MS) {
    clearInterval(this.sampler);
    if (!this.isRunning) return this.exit;
    this.isExpectedToEnd = true;
    const ended = once(this.running.child, 'exit');
    this.running.child.kill(name);
    await Promise.race([ended, sleep(limitMs, undefined, { ref: false })]);
    return this.isRunning ? undefined : this.exit;
  }

  /** Ends service and PostgreSQL, whatever state they are in. */
  async end() {
    if (this.running && (await this.signal('SIGTERM', 5_000)) === undefined) await this.kill();
    await this.endDatabase();
  }

  /** The pid of the embedded PostgreSQL's first process, out of its lock file. */
  async databasePid() {
    const text = await readFile(join(this.dataDir, 'postgres/postmaster.pid'), 'utf8').catch(() => '');
    const pid = Number(text.split('\n')[0]);
    return pid > 0 && (await isPostgres(pid)) ? pid : undefined;
  }

  async endDatabase() {
    const pid = await this.databasePid();
    if (pid === undefined) return;
    process.kill(pid, 'SIGINT');
    const deadline = Date.now() + DATABASE_STOP_LIMIT_MS;
    let signal = 'SIGQUIT';
    while (await isPostgres(pid)) {
      if (signal && Date.now() > deadline) {
        process.kill(pid, signal);
        signal = undefined;
      }
      await sleep(20);
    }
  }

  /** The service's processes: the one that was started and its children, which PostgreSQL is not one of. */
  async pids() {
    const children = await childrenOf(this.pid);
    const own = await Promise.all(children.map(async (pid) => ((await isPostgres(pid)) ? [] : [pid])));
    return [this.pid, ...own.flat()];
  }

  resetPeak() {
    this.peakMib = 0;
    // Sets the kernel's own high-water mark back, which misses nothing between two samples.
    writeFile(`/proc/${this.pid}/clear_refs`, '5').catch(() => {});
  }

  async sample() {
    const pids = await this.pids();
    const [main, ...others] = await Promise.all(pids.map(memoryOf));
    const now = main.now + others.reduce((sum, { now }) => sum + now, 0);
    this.peakMib = Math.max(this.peakMib, now, main.peak);
  }
}

/** Resident memory in MiB, now and at most; zeros for a process that has ended. */
async function memoryOf(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const mib = (name) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1024;
  return { now: mib('VmRSS'), peak: mib('VmHWM') };
}

async function isPostgres(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return /^Name:\s+postgres/m.test(status) && !/^State:\s+Z/m.test(status);
}
