/** A process of the built service that can be killed and restarted on the same port. */
import { once } from 'node:events';
import { join } from 'node:path';
import { firstAnswer, freePort, startProgram } from '../../bench/processes.mjs';

export class Service {
  /** `env` is the whole environment except the port. */
  static async start({ dist, env, logFile }) {
    const service = new Service({ dist, env, logFile, port: await freePort() });
    await service.start();
    return service;
  }

  constructor(parts) {
    Object.assign(this, parts);
  }

  async start() {
    const { dist, env, logFile, port } = this;
    this.running = startProgram(process.execPath, [join(dist, 'main.js')], {
      env: { ...env, PORT: String(port) },
      logFile,
    });
    await firstAnswer(`http://127.0.0.1:${port}/health/ready`, this.running);
  }

  /** kill -9. */
  async kill() {
    const ended = once(this.running.child, 'exit');
    this.running.child.kill('SIGKILL');
    await ended;
  }
}
