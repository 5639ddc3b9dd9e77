/** The built service with an embedded PostgreSQL, as `npm start` runs it, and its figures from /proc. */
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
  /** The peak memory of the service's own processes since `resetPeak` in MiB, without PostgreSQL. */
  peakMib = 0;

  constructor({ dist, env, dataDir, logFile }) {
    Object.assign(this, { dist, env, dataDir, logFile });
    atEnd(() => this.end());
  }

  /** Starts on a free port and waits until the service is ready. Uses the PostgreSQL of an earlier process if it still runs. */
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
      if (!this.isRunning) throw new Error(`The service ended during its start: ${this.exit}.`);
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

  /** The status of /health/ready, or the error of the request. */
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

  /** Kills only the service with SIGKILL. Its PostgreSQL continues, as after a crash. */
  async kill() {
    await this.signal('SIGKILL', 10_000);
  }

  /** Sends a signal and returns the exit code or signal; undefined if the process has not ended within the limit. */
  async signal(name, limitMs = STOP_LIMIT_MS) {
    clearInterval(this.sampler);
    if (!this.isRunning) return this.exit;
    this.isExpectedToEnd = true;
    const ended = once(this.running.child, 'exit');
    this.running.child.kill(name);
    await Promise.race([ended, sleep(limitMs, undefined, { ref: false })]);
    return this.isRunning ? undefined : this.exit;
  }

  /** Ends the service and PostgreSQL in any state. */
  async end() {
    if (this.running && (await this.signal('SIGTERM', 5_000)) === undefined) await this.kill();
    await this.endDatabase();
  }

  /** The PID of the embedded PostgreSQL's main process, from its lock file. */
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

  /** The PIDs of the service: the started process and its children, without PostgreSQL. */
  async pids() {
    const children = await childrenOf(this.pid);
    const own = await Promise.all(children.map(async (pid) => ((await isPostgres(pid)) ? [] : [pid])));
    return [this.pid, ...own.flat()];
  }

  resetPeak() {
    this.peakMib = 0;
    // Resets the kernel's own high-water mark, which misses nothing between two samples.
    writeFile(`/proc/${this.pid}/clear_refs`, '5').catch(() => {});
  }

  async sample() {
    const pids = await this.pids();
    const [main, ...others] = await Promise.all(pids.map(memoryOf));
    const now = main.now + others.reduce((sum, { now }) => sum + now, 0);
    this.peakMib = Math.max(this.peakMib, now, main.peak);
  }
}

/** Current and peak resident memory in MiB; zeros for a process that has ended. */
async function memoryOf(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const mib = (name) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1024;
  return { now: mib('VmRSS'), peak: mib('VmHWM') };
}

async function isPostgres(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return /^Name:\s+postgres/m.test(status) && !/^State:\s+Z/m.test(status);
}
