/** Controls the load generator's process. */
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Histogram } from './histogram.mjs';
import { freePort, startModule } from './processes.mjs';

const GENERATOR = fileURLToPath(new URL('./load-generator.mjs', import.meta.url));
const CEILING = fileURLToPath(new URL('./ceiling-server.mjs', import.meta.url));

export class Load {
  constructor() {
    this.process = startModule(GENERATOR);
    this.process.child.on('message', (answer) => this.answered(answer));
    this.process.child.on('exit', () => this.answered?.({ error: 'The load generator ended.' }));
  }

  /** Opens connections to a port; `requests` is a list of {text, status, items, marker}. */
  async prepare(port, connections, requests) {
    await this.ask({ type: 'prepare', port, connections, requests });
  }

  /** Sends requests for this time. Throws if a response was wrong. */
  async run(milliseconds) {
    const { faults, counts, ...measured } = await this.ask({ type: 'run', milliseconds });
    if (faults.length > 0) throw new Error(`Wrong responses:\n  ${faults.join('\n  ')}`);
    return { ...measured, histogram: new Histogram(counts) };
  }

  async close() {
    await this.ask({ type: 'close' });
  }

  /** Sends a message and waits for its result. Only one message may be in progress. */
  ask(message) {
    return new Promise((resolve, reject) => {
      this.answered = ({ result, error }) => (error === undefined ? resolve(result) : reject(new Error(error)));
      this.process.child.send(message);
    });
  }
}

/** The generator's own maximum rate in requests per second, measured on a trivial server: for responses with one entry and with 25. */
export async function measureCeiling(load, connections) {
  const port = await freePort();
  const server = startModule(CEILING, { PORT: String(port) });
  await once(server.child, 'message');
  const rates = {};
  for (const name of ['small', 'large']) {
    const text = `GET /${name} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
    await load.prepare(port, connections, [{ text, status: 200, items: 0, marker: '"content_type_id":' }]);
    await load.run(200);
    const { count, seconds } = await load.run(800);
    rates[name] = Math.round(count / seconds);
    await load.close();
  }
  await server.stop();
  return rates;
}
