import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventsModule } from 'trivet/events/events.module.js';
import { RedirectsController } from './redirects.controller.js';
import { RedirectsService } from './redirects.service.js';
import { entities } from './redirects.tables.js';

/** Redirect rules of websites. */
@Module({
  imports: [EventsModule, TypeOrmModule.forFeature(entities)],
  controllers: [RedirectsController],
  providers: [RedirectsService],
})
export class RedirectsModule {}
