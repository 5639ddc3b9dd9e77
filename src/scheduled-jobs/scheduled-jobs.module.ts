import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BacklogModule } from '../backlog/backlog.module.js';
import { ScheduledJobs } from './scheduled-jobs.js';
import { ScheduledJobWorker } from './scheduled-job-worker.js';
import { entities } from './scheduled-jobs.tables.js';

/** Work that is due at a time. */
@Module({
  imports: [DiscoveryModule, TypeOrmModule.forFeature(entities), BacklogModule],
  providers: [ScheduledJobs, ScheduledJobWorker],
  exports: [ScheduledJobs],
})
export class ScheduledJobsModule {}
