import { BullAdapter } from '@bull-board/api/bullAdapter';
import { createBullBoard } from '@bull-board/api';
import type { AppViewRoute } from '@bull-board/api/typings/app';
import { ExpressAdapter } from '@bull-board/express';
import type { Queue as BullQueue } from 'bull';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

/** The pages load everything from this service. React sets styles, and the page itself has some. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** An element that loads something from another host, which the policy refuses anyway. */
const FOREIGN_LINK = /<link\b[^>]*\bhref="(?:https?:)?\/\/[^>]*>\s*/gi;

/** Bull's pages without their fonts from another host. */
class OwnPages extends ExpressAdapter {
  override setEntryRoute(entry: AppViewRoute): ExpressAdapter {
    this.app[entry.method](entry.route, (_request: Request, response: Response, next: NextFunction) => {
      const { name, params } = entry.handler({ basePath: this.basePath, uiConfig: this.uiConfig });
      response.setHeader('Content-Security-Policy', POLICY);
      response.setHeader('Referrer-Policy', 'no-referrer');
      response.render(name, params, (error: Error | null, html = '') => {
        if (error) next(error);
        else response.send(html.replace(FOREIGN_LINK, ''));
      });
    });
    return this;
  }
}

/** Returns Bull's own pages about the queues in Redis, which can change nothing there. */
export function bullBoard(
  queues: readonly BullQueue[],
  path: string,
  back: { text: string; url: string },
): RequestHandler {
  const serverAdapter = new OwnPages();
  serverAdapter.setBasePath(path);
  const description =
    'Jobs only wake the workers, and are removed when they are done. The work itself waits in the tables.';
  createBullBoard({
    queues: queues.map((queue) => new BullAdapter(queue, { readOnlyMode: true, description })),
    serverAdapter,
    options: { uiConfig: { boardTitle: 'Trivet', hideDocsLink: true, miscLinks: [back] } },
  });
  return serverAdapter.getRouter() as RequestHandler;
}
