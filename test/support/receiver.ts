import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

const TLS = join(process.cwd(), 'test/support/tls');

/** The environment with which an application can reach receivers on this machine. */
export const RECEIVER_ENV = {
  WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
  OUTBOUND_CA_FILE: join(TLS, 'cert.pem'),
};

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  /** The unchanged body. */
  text: string;
  /** The parsed body. */
  body: { id: string; type: string; timestamp: string; tenant_id: string; data: Record<string, unknown> };
  /** When the whole request had arrived, in milliseconds since 1970. */
  at: number;
}

/** The response: a status (with headers and a body), no response, or a broken connection. */
export type Answer = number | { status: number; headers?: Record<string, string>; body?: string } | 'hang' | 'reset';

export interface Receiver {
  /** The URL of a path; each test uses its own. */
  url(path?: string): string;
  /** All requests to the path, in the order of arrival. */
  received(path?: string): Received[];
  /** Sets the responses for a path; `count` is the number of earlier requests to it. The default is 200. */
  answer(path: string, answer: (request: Received, count: number) => Answer | Promise<Answer>): void;
  /** Resolves when the path has received this number of requests. Rejects after ten seconds. */
  until(path: string, count: number): Promise<Received[]>;
  /** The largest number of simultaneous requests to the path. */
  peak(path: string): number;
  close(): Promise<void>;
}

/** Starts a real HTTPS server that records what it receives. */
export async function startReceiver(): Promise<Receiver> {
  const requests = new Map<string, Received[]>();
  const answers = new Map<string, (request: Received, count: number) => Answer | Promise<Answer>>();
  const inProgress = new Map<string, { now: number; peak: number }>();
  const waiting = new Set<() => void>();
  const server = createServer(
    { key: readFileSync(join(TLS, 'key.pem')), cert: readFileSync(join(TLS, 'cert.pem')) },
    (request, response) => {
      const path = request.url ?? '/';
      const load = inProgress.get(path) ?? { now: 0, peak: 0 };
      inProgress.set(path, load);
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
    peak: (path) => inProgress.get(path)?.peak ?? 0,
    until(path, count) {
      return new Promise((resolve, reject) => {
        const late = setTimeout(() => {
          waiting.delete(check);
          reject(new Error(`${received(path).length} of ${count} requests came to ${path}.`));
        }, 60_000);
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
