import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { OpenStreams } from './admission/open-streams.js';
import { Stopping } from './admission/stopping.js';
import { AppModule } from './app.module.js';
import { setUp } from './app.setup.js';
import type { Config } from './config/config.js';
import { Acceptors } from './http/acceptors.js';
import { Drain } from './http/drain.js';
import { HttpAdapter } from './http/http-adapter.js';
import { Health } from './observability/health.js';
import type { JsonLogger } from './observability/logger.js';
import { Queues } from './queues/queues.js';

export interface Service {
  /** The port on which it listens, even if the configured port is 0. */
  port: number;
  /** Announces the stop, serves for `SHUTDOWN_DELAY` more, finishes the requests and jobs in progress, then ends. */
  stop(): Promise<void>;
}

/** Runs the application of one process with a running database. */
export async function serve(config: Config, databaseUrl: string, logger: JsonLogger): Promise<Service> {
  let app: NestExpressApplication | undefined;
  let drain: Drain;
  try {
    app = await NestFactory.create<NestExpressApplication>(await AppModule.of(config, databaseUrl), new HttpAdapter(), {
      logger,
      bodyParser: false,
      abortOnError: false,
    });
    setUp(app, config);
    drain = new Drain(app.getHttpServer());
    await app.listen(config.port, config.host);
    drain.closes(await Acceptors.of(app.getHttpServer()));
  } catch (error) {
    await app?.close();
    throw error;
  }
  const running = app;
  const address = running.getHttpServer().address();
  return {
    port: address !== null && typeof address === 'object' ? address.port : config.port,
    async stop() {
      running.get(Health).noteStopping();
      running.get(Stopping).begin();
      running.get(Queues).stopClaiming();
      await drain.announce(config.shutdownDelay);
      running.get(OpenStreams).endAll();
      await drain.finish();
      await running.close();
    },
  };
}
