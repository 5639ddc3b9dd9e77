import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Queue as BullQueue } from 'bull';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { clientAddress } from '../access/client-address.js';
import { tooManyRequests } from '../access/rate-limits.js';
import { isSameSecret } from '../access/same-secret.js';
import type { Config } from '../config/config.js';
import { sendProblem } from '../errors/problem.filter.js';
import { Problem } from '../errors/problem.js';
import { Queues } from './queues.js';

const PATH = '/admin/queues';
const ALLOWED_FAILURES = 10;
const WINDOW_MS = 60_000;

/** Shows the queues in Redis to who knows `ADMIN_PASSWORD`, to look at only; there is no such page without a password or Redis. */
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

/** Loaded when somebody looks: few do, and seldom. */
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

/** Basic authentication, whatever the user's name. After some wrong passwords an address is not listened to for a while. */
export function withPassword(password: string): RequestHandler {
  const failures = new Map<string, { count: number; ends: number }>();
  return (request: Request, response: Response, next: NextFunction) => {
    const now = Date.now();
    for (const [address, { ends }] of failures) if (ends <= now) failures.delete(address);
    const address = clientAddress(request);
    const failed = failures.get(address) ?? { count: 0, ends: now + WINDOW_MS };
    if (failed.count >= ALLOWED_FAILURES) {
      sendProblem(
        response,
        tooManyRequests((failed.ends - now) / 1000, 'This address sent too many requests with a wrong password.'),
      );
      return;
    }
    const sent = sentPassword(request.headers.authorization);
    if (sent !== undefined && isSameSecret(sent, password)) {
      next();
      return;
    }
    if (sent !== undefined) failures.set(address, { ...failed, count: failed.count + 1 });
    const headers = { 'WWW-Authenticate': 'Basic realm="Trivet", charset="UTF-8"' };
    sendProblem(response, new Problem('unauthorized', 'Send the administration password.', undefined, headers));
  };
}

function sentPassword(header: string | undefined): string | undefined {
  const [, encoded] = /^basic +([A-Za-z0-9+/]+=*) *$/i.exec(header ?? '') ?? [];
  const [, password] = /^[^:]*:(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString()) ?? [];
  return password;
}
