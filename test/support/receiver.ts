import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

const TLS = join(process.cwd(), 'test/support/tls');

/** What an application needs to be let through to receivers on this machine. */
export const RECEIVER_ENV = {
  WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
  OUTBOUND_CA_FILE: join(TLS, 'cert.pem'),
};

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  /** The body, exactly as it came. */
  text: string;
  /** The body's JSON. */
  body: { id: string; type: string; timestamp: string; tenant_id: string; data: Record<string, unknown> };
  /** Milliseconds since 1970 when it had come whole. */
  at: number;
}

/** How a request is answered: a status (with headers and a body), or by hand, which may be never. */
export type Answer = number | { status: number; headers?: Record<string, string>; body?: string } | 'hang' | 'reset';

export interface Receiver {
  /** The URL of a path of its own for each test. */
  url(path?: string): string;
  /** Everything that came to the path, in the order it came. */
  received(path?: string): Received[];
  /** Decides the answers for a path; `count` is how many came to it before. 200 where nothing is set. */
  answer(path: string, answer: (request: Received, count: number) => Answer | Promise<Answer>): void;
  /** Resolves when so many requests have come to the path; rejects after ten seconds. */
  until(path: string, count: number): Promise<Received[]>;
  /** The largest number of requests to the path that were under way at once. */
  peak(path: string): number;
  close(): Promise<void>;
}

/** A real HTTPS server that keeps what it is sent. */
export async function startReceiver(): Promise<Receiver> {
  const requests = new Map<string, Received[]>();
  const answers = new Map<string, (request: Received, count: number) => Answer | Promise<Answer>>();
  const underWay = new Map<string, { now: number; peak: number }>();
  const waiting = new Set<() => void>();
  const server = createServer(
    { key: readFileSync(join(TLS, 'key.pem')), cert: readFileSync(join(TLS, 'cert.pem')) },
    (request, response) => {
      const path = request.url ?? '/';
      const load = underWay.get(path) ?? { now: 0, peak: 0 };
      underWay.set(path, load);
      load.peak = Math.max(load.peak, ++load.now);
      response.once('close', () => load.now--);
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const received = { path, headers: request.headers, text, body: JSON.parse(text), at: Date.now() };
        const list = requests.get(path) ?? [];
        requests.set(path, list);
        const count = list.push(received) - 1;
        void Promise.resolve(answers.get(path)?.(received, count) ?? 200).then((answer) => give(response, answer));
        for (const check of waiting) check();
      });
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const received = (path = '/') => requests.get(path) ?? [];
  return {
    url: (path = '/') => `https://localhost:${port}${path}`,
    received,
    answer: (path, answer) => void answers.set(path, answer),
    peak: (path) => underWay.get(path)?.peak ?? 0,
    until(path, count) {
      return new Promise((resolve, reject) => {
        const late = setTimeout(() => {
          waiting.delete(check);
          reject(new Error(`${received(path).length} of ${count} requests came to ${path}.`));
        }, 10_000);
        const check = () => {
          if (received(path).length < count) return;
          clearTimeout(late);
          waiting.delete(check);
          resolve(received(path));
        };
        waiting.add(check);
        check();
      });
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function give(response: ServerResponse, answer: Answer): void {
  if (answer === 'hang') return;
  if (answer === 'reset') return void response.socket?.destroy();
  const { status, headers = {}, body = '' } = typeof answer === 'number' ? { status: answer } : answer;
  response.writeHead(status, headers).end(body);
}
