/** The built service in a separate process, on an embedded database in a temporary folder. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { firstAnswer, freePort, startProgram } from '../../bench/processes.mjs';
import { until } from '../faults/until.mjs';

const PROBE = fileURLToPath(new URL('probe.mjs', import.meta.url));
const MIB = 2 ** 20;
/** Long enough for a busy machine. */
const STARTS_WITHIN_MS = 180_000;

export class Service {
  static async start({ dist, folder, env }) {
    const port = await freePort();
    const logFile = join(folder, 'service.log');
    const probeFile = join(folder, 'memory.json');
    const running = startProgram(process.execPath, ['--expose-gc', '--import', PROBE, join(dist, 'main.js')], {
      env: { ...env, PORT: String(port), DATA_DIR: join(folder, 'data'), PROBE_FILE: probeFile },
      logFile,
    });
    await firstAnswer(`http://127.0.0.1:${port}/health/ready`, running, { timeoutMs: STARTS_WITHIN_MS }).catch(
      async (error) => {
        throw new Error(`${error.message}\n${await readFile(logFile, 'utf8')}`);
      },
    );
    return new Service({ dist, folder, port, running, logFile, probeFile });
  }

  constructor(parts) {
    Object.assign(this, parts);
  }

  get url() {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Returns {heap, outside, rss} in MiB after collecting all garbage, and the longest {stalls} of the event loop since the last call. */
  async memory() {
    await rm(this.probeFile, { force: true });
    process.kill(this.running.pid, 'SIGUSR2');
    const text = await until(
      () => readFile(this.probeFile, 'utf8').catch(() => ''),
      'the service reports its memory',
      30,
    );
    const { heapUsed, external, rss, stalls } = JSON.parse(text);
    return { heap: heapUsed / MIB, outside: external / MIB, rss: rss / MIB, stalls };
  }
}
