import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ContentTypesController } from './content-types.controller.js';
import { ContentTypesService } from './content-types.service.js';
import { EntriesController } from './entries/entries.controller.js';
import { EntriesService } from './entries/entries.service.js';
import { EntryListService } from './entries/entry-list.service.js';
import { EntryTotals } from './entries/entry-totals.js';
import { WordRarities } from './entries/word-rarities.js';
import { MediaIds } from './media-ids.js';
import { MediaUsage } from './media-usage.js';
import { Schemas } from './schemas.js';
import { TypeChanges } from './type-changes.js';
import { entities } from './content.tables.js';
import { EventsModule } from '../events/events.module.js';

/** Content types and their entries. */
@Module({
  imports: [EventsModule, TypeOrmModule.forFeature(entities)],
  controllers: [ContentTypesController, EntriesController],
  providers: [
    ContentTypesService,
    EntriesService,
    EntryListService,
    EntryTotals,
    MediaIds,
    MediaUsage,
    Schemas,
    TypeChanges,
    WordRarities,
  ],
  exports: [MediaIds, MediaUsage],
})
export class ContentModule {}
