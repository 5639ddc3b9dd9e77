import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BulkController } from './bulk/bulk.controller.js';
import { BulkService } from './bulk/bulk.service.js';
import { EntryBatches } from './bulk/entry-batches.js';
import { ContentTypesController } from './content-types.controller.js';
import { ContentTypeEvents } from './content-type-events.js';
import { ContentTypesService } from './content-types.service.js';
import { OnlineChanges } from './schema-changes/online/online-changes.service.js';
import { SchemaChangesController } from './schema-changes/online/schema-changes.controller.js';
import { SchemaChanges } from './schema-changes/online/schema-changes.service.js';
import { DraftedEntries } from './drafts/drafted-entries.js';
import { DraftListService } from './drafts/draft-list.service.js';
import { DraftListController, DraftsController } from './drafts/drafts.controller.js';
import { ReviewsController } from './drafts/reviews.controller.js';
import { ReviewsService } from './drafts/reviews.service.js';
import { DraftsService } from './drafts/drafts.service.js';
import { PublishDraft } from './drafts/publish-draft.js';
import { WaitingReviews } from './drafts/waiting-reviews.service.js';
import { PreviewsService } from './drafts/previews.service.js';
import { EntriesController } from './entries/entries.controller.js';
import { AbsentContentFieldTypes } from './absent-field-types.service.js';
import { EntryByValue } from './entries/entry-by-value.service.js';
import { EntriesService } from './entries/entries.service.js';
import { EntryResponses } from './entries/entry-responses.js';
import { EntryListService } from './lists/entry-list.service.js';
import { Attempts } from './entries/writes/attempts.js';
import { CreateEntry } from './entries/writes/create-entry.js';
import { DeleteEntry } from './entries/writes/delete-entry.js';
import { EntryValidation } from './entries/writes/entry-validation.js';
import { EntryValues } from './entries/writes/entry-values.js';
import { EntryWriter } from './entries/writes/entry-writer.js';
import { DictionaryCache } from './entries/writes/dictionary-cache.js';
import { UpdateEntry } from './entries/writes/update-entry.js';
import { SearchCorrections } from './lists/search-corrections.js';
import { ReferencedTitles } from './lists/referenced-titles.js';
import { SearchIndexUpkeep } from './entries/search-index-upkeep.js';
import { WordRarities } from './lists/word-rarities.js';
import { ExchangeController } from './exchange/exchange.controller.js';
import { ExportService } from './exchange/export.service.js';
import { ImportService } from './exchange/import.service.js';
import { EntryHistory } from './history/entry-history.service.js';
import { HistoryController } from './history/history.controller.js';
import { ReferentialActions } from './references/referential-actions.js';
import { FullMedia } from './reading/full-media.js';
import { EntryReader } from './reading/entry-reader.service.js';
import { ReferrersController } from './reading/referrers.controller.js';
import { ReferrersService } from './reading/referrers.service.js';
import { MediaIds } from './media-ids.js';
import { MediaUsage } from './media-usage.js';
import { Schemas } from './schemas.js';
import { SchemaChangeQueue } from './schema-changes/schema-change-queue.js';
import { TypeNames } from './type-names.js';
import { ContentTypeNames } from '../access/narrowing/narrowing.js';
import { entities } from './content.tables.js';
import { ExchangeModule } from '../lists/exchange/exchange.module.js';
import { AdmissionModule } from '../admission/admission.module.js';
import { AccessModule } from '../access/access.module.js';
import { Cors } from '../access/cors.js';
import { PreviewController, PreviewLinksController } from './drafts/preview-links.controller.js';
import { PreviewLinksService } from './drafts/preview-links.service.js';
import { ContentSearchController } from './finding/content-search.controller.js';
import { ContentSearch } from './finding/content-search.service.js';
import { PublicUrl } from '../http/public-url.js';
import { ScheduledJobsModule } from '../scheduled-jobs/scheduled-jobs.module.js';
import { ScheduledActions } from './schedules/scheduled-actions.js';
import { ScheduleListController, SchedulesController } from './schedules/schedules.controller.js';
import { LocalesController } from './locales/locales.controller.js';
import { EntryLocalesController } from './locales/entry-locales.controller.js';
import { EntryLocales } from './locales/entry-locales.service.js';
import { LocalePurgeWorker } from './locales/purges/locale-purge-worker.js';
import { LocalePurges } from './locales/purges/locale-purges.service.js';
import { LocalePurgesController } from './locales/purges/locale-purges.controller.js';
import { TypesBehind } from './locales/types-behind.js';
import { LocalePresenter } from './locales/locale-presenter.js';
import { LocalesService } from './locales/locales.service.js';
import { PresenceController } from './presence/presence.controller.js';
import { PresenceService } from './presence/presence.service.js';
import { SchedulesService } from './schedules/schedules.service.js';
import { TenantsModule } from '../tenants/tenants.module.js';
import { EventsModule } from '../events/events.module.js';
import { TotalCache } from '../lists/total-cache.js';

const PREVIEWS = /^\/v1\/preview\/[^/]+\/?$/;

/** Content types and their entries. */
@Module({
  imports: [
    AccessModule,
    AdmissionModule,
    ExchangeModule,
    ScheduledJobsModule,
    EventsModule,
    TenantsModule,
    TypeOrmModule.forFeature(entities),
  ],
  controllers: [
    ContentTypesController,
    SchemaChangesController,
    ExchangeController,
    EntriesController,
    HistoryController,
    EntryLocalesController,
    LocalePurgesController,
    LocalesController,
    ReferrersController,
    DraftsController,
    ReviewsController,
    DraftListController,
    PreviewLinksController,
    PreviewController,
    PresenceController,
    SchedulesController,
    ScheduleListController,
    BulkController,
    ContentSearchController,
  ],
  providers: [
    AbsentContentFieldTypes,
    Attempts,
    BulkService,
    ExportService,
    ImportService,
    EntryBatches,
    ContentTypeEvents,
    ContentTypesService,
    ContentSearch,
    CreateEntry,
    DeleteEntry,
    DraftListService,
    DraftedEntries,
    DraftsService,
    PublishDraft,
    EntriesService,
    EntryByValue,
    EntryValidation,
    EntryValues,
    EntryWriter,
    EntryHistory,
    EntryListService,
    EntryResponses,
    FullMedia,
    EntryLocales,
    TypesBehind,
    LocalePurges,
    LocalePurgeWorker,
    LocalePresenter,
    LocalesService,
    ReferentialActions,
    DictionaryCache,
    TotalCache,
    MediaIds,
    MediaUsage,
    OnlineChanges,
    PresenceService,
    PreviewLinksService,
    PreviewsService,
    PublicUrl,
    EntryReader,
    ReferencedTitles,
    ScheduledActions,
    SchedulesService,
    ReviewsService,
    ReferrersService,
    SchemaChanges,
    Schemas,
    SearchCorrections,
    SearchIndexUpkeep,
    SchemaChangeQueue,
    UpdateEntry,
    WaitingReviews,
    WordRarities,
    { provide: ContentTypeNames, useClass: TypeNames },
  ],
  exports: [
    ContentTypeNames,
    ContentTypesService,
    EntryLocales,
    FullMedia,
    LocalesService,
    MediaIds,
    MediaUsage,
    WaitingReviews,
  ],
})
export class ContentModule implements OnModuleInit {
  constructor(private readonly cors: Cors) {}

  onModuleInit(): void {
    this.cors.allowAnyOrigin('GET', PREVIEWS);
  }
}
