import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ContentTypesController } from './content-types.controller.js';
import { ContentTypesService } from './content-types.service.js';
import { EntriesController } from './entries/entries.controller.js';
import { EntriesService } from './entries/entries.service.js';
import { EntryListService } from './entries/entry-list.service.js';
import { MediaIds } from './media-ids.js';
import { MediaUsage } from './media-usage.js';
import { Schemas } from './schemas.js';
import { TypeChanges } from './type-changes.js';
import { ContentType } from './content-type.entity.js';
import { Entry, EntryCount, EntryUnique, EntryValue, EntryWords } from './entries/entry.entity.js';
import { EventsModule } from '../events/events.module.js';

/** Content types and their entries. */
@Module({
  imports: [
    EventsModule,
    TypeOrmModule.forFeature([ContentType, Entry, EntryCount, EntryUnique, EntryValue, EntryWords]),
  ],
  controllers: [ContentTypesController, EntriesController],
  providers: [ContentTypesService, EntriesService, EntryListService, MediaIds, MediaUsage, Schemas, TypeChanges],
  exports: [MediaIds, MediaUsage],
})
export class ContentModule {}
