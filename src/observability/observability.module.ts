import { Module } from '@nestjs/common';
import { AdmissionMetrics } from './admission-metrics.js';
import { Health } from './health.js';
import { Metrics } from './metrics.js';
import { ReplicaMetrics } from './replica-metrics.js';
import { OperationsController } from './operations.controller.js';
import { RequestLog } from './request-log.js';
import { RequestObserver } from './request-observer.js';
import { StorageHealth } from './storage-health.js';
import { AdmissionModule } from '../admission/admission.module.js';

/** Health checks, metrics and the request log. */
@Module({
  imports: [AdmissionModule],
  controllers: [OperationsController],
  providers: [AdmissionMetrics, Health, Metrics, ReplicaMetrics, RequestLog, RequestObserver, StorageHealth],
  exports: [Metrics, RequestObserver, StorageHealth],
})
export class ObservabilityModule {}
