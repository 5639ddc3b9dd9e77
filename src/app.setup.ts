import type { NestExpressApplication } from '@nestjs/platform-express';
import { Cors } from './access/cors.js';
import { Connections } from './admission/connections.js';
import { ByteBudget } from './admission/byte-budget.js';
import type { Config } from './config/config.js';
import { hasConsole, setUpConsole } from './console/console.js';
import { setUpGuides } from './guides/guides.js';
import { answerClientError, answerExpectation } from './http/client-error.js';
import { homePage } from './http/pages/home-page.js';
import { HttpAdapter } from './http/http-adapter.js';
import { identify } from './http/identify.js';
import { operationsOnly } from './http/operations-only.js';
import { PublicUrl } from './http/public-url.js';
import { parseQuery } from './http/query.js';
import { setUpDocs } from './openapi/swagger-ui/docs.js';
import { RequestObserver } from './observability/request-observer.js';
import { setUpQueueAdmin } from './queues/admin.js';

/** Sets up the HTTP side of an application, for the service and for the tests. */
export function setUp(app: NestExpressApplication, config: Config): void {
  const adapter = app.getHttpAdapter() as unknown;
  if (adapter instanceof HttpAdapter) {
    adapter.countIn(app.get(ByteBudget));
    adapter.linkFiles(app.get(PublicUrl));
  }
  app.set('query parser', parseQuery);
  app.set('trust proxy', config.trustProxy);
  app.disable('x-powered-by');
  app.disable('etag');
  const connections = app.get(Connections);
  app.use(connections.middleware);
  app.use(identify);
  app.use(app.get(RequestObserver).middleware);
  app.use(homePage(config.role, hasConsole(config)));
  if (config.role === 'worker') app.use(operationsOnly);
  else app.use(app.get(Cors).middleware);
  setUpQueueAdmin(app, config);
  setUpDocs(app);
  setUpGuides(app);
  setUpConsole(app, config);
  const server = app.getHttpServer();
  connections.watch(server);
  server.on('clientError', answerClientError);
  server.on('checkExpectation', answerExpectation);
  // A proxy in front reuses connections for longer than node's default of five seconds.
  server.keepAliveTimeout = 72_000;
  server.headersTimeout = 20_000;
  // The largest file may arrive at 64 kB per second, and a body of 1 MiB at 2 kB per second. See `http/bodies/body-pace.ts` for slower ones.
  server.requestTimeout = Math.min(Math.max(600_000, Math.ceil(config.mediaMaxBytes / 64)), 86_400_000);
}
