import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BacklogModule } from '../backlog/backlog.module.js';
import { DueWork } from './due-work.js';
import { DueWorker } from './due-worker.js';
import { entities } from './due.tables.js';

/** Work that is due at a time. */
@Module({
  imports: [DiscoveryModule, TypeOrmModule.forFeature(entities), BacklogModule],
  providers: [DueWork, DueWorker],
  exports: [DueWork],
})
export class DueModule {}
