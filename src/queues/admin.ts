import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Queue as BullQueue } from 'bull';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { clientAddress } from '../access/client-address.js';
import { RateLimitWindows } from '../access/rate-limit-windows.js';
import { tooManyRequests } from '../access/rate-limits.js';
import { isSameSecret } from '../access/same-secret.js';
import type { Config } from '../config/config.js';
import { sendProblem } from '../errors/problem.filter.js';
import { Problem } from '../errors/problem.js';
import { Queues } from './queues.js';

const PATH = '/admin/queues';
const ALLOWED_FAILURES = 10;
const WINDOW_MS = 60_000;

/** Serves read-only pages of the queues in Redis, protected by `ADMIN_PASSWORD`. Without a password or Redis there are no pages. */
export function setUpQueueAdmin(app: NestExpressApplication, { adminPassword }: Config): void {
  const queues = app
    .get(Queues)
    .all()
    .flatMap(({ bull }) => bull ?? []);
  if (!adminPassword || queues.length === 0) return;
  let board: Promise<RequestHandler> | undefined;
  app.use(PATH, withPassword(adminPassword), (request: Request, response: Response, next: NextFunction) => {
    board ??= boardOf(queues);
    board.then((show) => void show(request, response, next)).catch(next);
  });
}

/** Loads the packages on the first request, because these pages are rarely used. */
async function boardOf(queues: readonly BullQueue[]): Promise<RequestHandler> {
  const { createBullBoard } = await import('@bull-board/api');
  const { BullAdapter } = await import('@bull-board/api/bullAdapter');
  const { ExpressAdapter } = await import('@bull-board/express');
  const serverAdapter = new ExpressAdapter();
  serverAdapter.setBasePath(PATH);
  createBullBoard({
    queues: queues.map((queue) => new BullAdapter(queue, { readOnlyMode: true })),
    serverAdapter,
    options: { uiConfig: { boardTitle: 'Trivet' } },
  });
  return serverAdapter.getRouter() as RequestHandler;
}

/** Basic authentication with any user name. After `ALLOWED_FAILURES` wrong passwords, an address gets 429 until its window ends. */
function withPassword(password: string): RequestHandler {
  const failures = new RateLimitWindows();
  return (request: Request, response: Response, next: NextFunction) => {
    const address = clientAddress(request);
    const [failed = 0, leftMs = 0] = failures.look(address) ?? [];
    if (failed >= ALLOWED_FAILURES) {
      sendProblem(response, tooManyRequests(leftMs / 1000, 'Too many wrong passwords.'));
      return;
    }
    const sent = sentPassword(request.headers.authorization);
    if (sent !== undefined && isSameSecret(sent, password)) {
      next();
      return;
    }
    if (sent !== undefined) failures.count(address, WINDOW_MS);
    const headers = { 'WWW-Authenticate': 'Basic realm="Trivet", charset="UTF-8"' };
    sendProblem(response, new Problem('unauthorized', 'Send the administration password.', undefined, headers));
  };
}

function sentPassword(header: string | undefined): string | undefined {
  const [, encoded] = /^basic +([A-Za-z0-9+/]+=*) *$/i.exec(header ?? '') ?? [];
  const [, password] = /^[^:]*:(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString()) ?? [];
  return password;
}
