import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { WorkServices } from './work-services.js';

/** What subscribers with a table of work need. */
@Module({ imports: [EventsModule], providers: [WorkServices], exports: [WorkServices] })
export class WorkModule {}
