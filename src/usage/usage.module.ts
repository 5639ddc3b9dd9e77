import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { TenantsModule } from '../tenants/tenants.module.js';
import { UsageController } from './usage.controller.js';
import { UsageService } from './usage.service.js';

/** The usage and the limits of a tenant. */
@Module({ imports: [EventsModule, TenantsModule], controllers: [UsageController], providers: [UsageService] })
export class UsageModule {}
