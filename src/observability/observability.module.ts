import { Global, Module } from '@nestjs/common';
import { Health } from './health.js';
import { Metrics } from './metrics.js';
import { OperationsController } from './operations.controller.js';
import { RequestObserver } from './request-observer.js';

/** Health, metrics and the log of requests. */
@Global()
@Module({
  controllers: [OperationsController],
  providers: [Health, Metrics, RequestObserver],
  exports: [Metrics, RequestObserver],
})
export class ObservabilityModule {}
