import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OutboundModule } from '../../../src/outbound/outbound.module.js';
import { WorkModule } from '../../../src/work/work.module.js';
import { CrmJob } from './crm-job.entity.js';
import { CRM_URL, CrmSubscriber } from './crm-subscriber.js';

/** Sends submissions to a CRM. */
@Module({})
export class CrmModule {
  static at(url: string): DynamicModule {
    return {
      module: CrmModule,
      imports: [WorkModule, OutboundModule, TypeOrmModule.forFeature([CrmJob])],
      providers: [CrmSubscriber, { provide: CRM_URL, useValue: url }],
    };
  }
}
