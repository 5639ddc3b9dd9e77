import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditRetention } from './audit-retention.js';
import { AuditController } from './audit.controller.js';
import { AuditService } from './audit.service.js';
import { entities } from './audit.tables.js';

/** The audit log: its list and its retention. Changes are recorded by their own statements (`record-changes.ts`). */
@Module({
  imports: [TypeOrmModule.forFeature(entities)],
  controllers: [AuditController],
  providers: [AuditRetention, AuditService],
})
export class AuditModule {}
