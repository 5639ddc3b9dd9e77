import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the server received. */
export interface Received {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** A server that gives one answer after the other, and repeats the last one. */
export interface ScriptedServer {
  url: string;
  received: Received[];
  /** Sets the answers, and forgets what was received. */
  script(...answers: Answer[]): void;
  close(): Promise<void>;
}

export async function startScriptedServer(): Promise<ScriptedServer> {
  const received: Received[] = [];
  let answers: Answer[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      received.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      answer?.(response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    script(...next) {
      answers = next;
      received.length = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Answers JSON. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (response) =>
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** Closes the connection without an answer. */
export const hangUp: Answer = (response) => response.socket?.destroy();

/** Never answers. */
export const hang: Answer = () => undefined;
