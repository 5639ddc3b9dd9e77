import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Queue as BullQueue } from 'bull';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { clientAddress } from '../http/client-address.js';
import { RateLimitWindows } from '../access/rate-limit-windows.js';
import { tooManyRequests } from '../access/rate-limits.js';
import { isSameSecret } from '../access/secrets/same-secret.js';
import { Backlog } from '../backlog/backlog.js';
import type { Config } from '../config/config.js';
import { Problem } from '../errors/problem.js';
import { PAGE_HEADERS } from '../http/pages/html-page.js';
import { sendProblem } from '../http/problem.filter.js';
import { backlogPage } from './backlog-page.js';
import { Queues } from './queues.js';
import { redisStatus } from './redis-status.js';

const PATH = '/admin/queues';
const BULL_PATH = `${PATH}/bull`;
const ALLOWED_FAILURES = 10;
const WINDOW_MS = 60_000;

/**
 * Serves read-only pages about the background work, protected by `ADMIN_PASSWORD`: what waits in the tables and, if there is a Redis,
 * Bull's own pages. Without a password there are no pages.
 */
export function setUpQueueAdmin(app: NestExpressApplication, { adminPassword }: Config): void {
  if (!adminPassword) return;
  const backlog = app.get(Backlog);
  const queues = app
    .get(Queues)
    .all()
    .flatMap(({ bull }) => bull ?? []);
  app.use(PATH, withPassword(adminPassword));
  if (queues.length > 0) app.use(BULL_PATH, bullPages(queues));
  app.use(PATH, (request: Request, response: Response, next: NextFunction) => {
    if (request.path !== '/' || !['GET', 'HEAD'].includes(request.method)) return next();
    sendPage(response, backlog, queues).catch(next);
  });
}

async function sendPage(response: Response, backlog: Backlog, queues: readonly BullQueue[]): Promise<void> {
  const redis = queues.length > 0 ? ((await redisStatus(queues)) ?? 'away') : undefined;
  const [waiting, failed, subscribers] = [await backlog.waiting(), await backlog.failed(), await backlog.subscribers()];
  response.set(PAGE_HEADERS).set('Cache-Control', 'no-store');
  response.send(backlogPage({ waiting, failed, subscribers, redis, bullPath: BULL_PATH }));
}

/** Loads Bull's pages on the first request, because they are rarely used. */
function bullPages(queues: readonly BullQueue[]): RequestHandler {
  let board: Promise<RequestHandler> | undefined;
  return (request: Request, response: Response, next: NextFunction) => {
    board ??= import('./bull-board.js').then(({ bullBoard }) =>
      bullBoard(queues, BULL_PATH, { text: 'Work in the tables', url: PATH }),
    );
    board.then((show) => void show(request, response, next)).catch(next);
  };
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
