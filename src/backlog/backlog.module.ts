import { Module } from '@nestjs/common';
import { ObservabilityModule } from '../observability/observability.module.js';
import { Backlog } from './backlog.js';
import { BacklogMetrics } from './backlog-metrics.js';

/** Reads what waits in the tables, for `/metrics` and the administration page. */
@Module({ imports: [ObservabilityModule], providers: [Backlog, BacklogMetrics], exports: [Backlog] })
export class BacklogModule {}
