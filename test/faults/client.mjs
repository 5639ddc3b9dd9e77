import { Agent, request } from 'node:http';

const TIMEOUT_MS = 20_000;

/** An API client. It never retries a request, so that the caller knows what was sent. */
export class Client {
  agent = new Agent({ keepAlive: true });
  inProgress = 0;

  constructor({ port, key }) {
    this.port = port;
    this.key = key;
  }

  /** Resolves with `{status, body}`. Rejects without a complete response; the code ECONNREFUSED means that nothing was sent. */
  async request(method, path, body, headers = {}) {
    this.inProgress++;
    try {
      return await this.send(method, path, body === undefined ? undefined : JSON.stringify(body), headers);
    } finally {
      this.inProgress--;
    }
  }

  /** Returns the body of a successful response. Throws for any other. */
  async ask(method, path, body) {
    const { status, body: answer } = await this.request(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(answer)}`);
    return answer;
  }

  send(method, path, text, headers) {
    return new Promise((resolve, reject) => {
      const all = { authorization: `Bearer ${this.key}`, ...headers };
      if (text !== undefined) Object.assign(all, { 'content-type': 'application/json' });
      const options = { agent: this.agent, host: '127.0.0.1', port: this.port, method, path, headers: all };
      const outgoing = request({ ...options, timeout: TIMEOUT_MS }, (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          try {
            const { statusCode: status, headers } = response;
            resolve({ status, headers, body: JSON.parse(Buffer.concat(chunks).toString()) });
          } catch (error) {
            reject(error);
          }
        });
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error('No response in time')));
      outgoing.on('error', reject);
      outgoing.end(text);
    });
  }
}
