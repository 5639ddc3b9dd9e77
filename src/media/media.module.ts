import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { join } from 'node:path';
import { AccessModule } from '../access/access.module.js';
import { Cors } from '../access/cors.js';
import { Config } from '../config/config.js';
import { ContentModule } from '../content/content.module.js';
import { OutboundModule } from '../outbound/outbound.module.js';
import { PublicUrl } from '../http/public-url.js';
import { TenantsModule } from '../tenants/tenants.module.js';
import { FolderStorage } from './storage/folder-storage.js';
import { UploadFolder } from './uploads/upload-folder.js';
import { MediaController } from './media.controller.js';
import { MediaFilesController } from './files/media-files.controller.js';
import { MediaFilesService } from './files/media-files.service.js';
import { MediaListsService } from './lists/media-lists.service.js';
import { MediaLookup } from './media-lookup.js';
import { MediaPresenter } from './media-presenter.js';
import { MediaService } from './media.service.js';
import { MediaStorage } from './storage/media-storage.js';
import { MediaSweeper } from './media-sweeper.js';
import { MetadataStripping } from './pictures/metadata-stripping.js';
import { PrivateFiles } from './files/private-files.js';
import { PictureMetrics } from './pictures/picture-metrics.js';
import { Pictures } from './pictures/pictures.js';
import { FetchedUpload } from './uploads/fetched-upload.js';
import { UploadAdmission } from './uploads/upload-admission.js';
import { UploadBodyPipe } from './uploads/upload-body.js';
import { UploadsService } from './uploads/uploads.service.js';
import { VariantBudget } from './variants/variant-budget.js';
import { VariantSignatures } from './variants/variant-signatures.js';
import { VariantUses } from './variants/variant-uses.js';
import { VariantUrlsService } from './variants/variant-urls.service.js';
import { VariantsService } from './variants/variants.service.js';
import { entities } from './media.tables.js';
import { ScheduledJobsModule } from '../scheduled-jobs/scheduled-jobs.module.js';
import { AdmissionModule } from '../admission/admission.module.js';
import { EventsModule } from '../events/events.module.js';
import { ObservabilityModule } from '../observability/observability.module.js';

const PUBLIC_FILES = /^\/media\/[^/]+\/[^/]+\/?$/;

/** Opens the configured storage. The S3 client is large, so it is loaded only if it is used. */
async function openStorage({ dataDir, s3 }: Config): Promise<MediaStorage> {
  if (!s3) return new FolderStorage(join(dataDir, 'media'));
  const { S3Storage } = await import('./storage/s3-storage.js');
  return new S3Storage(s3);
}

/** Uploaded files: receives, lists, serves and scales them. */
@Module({
  imports: [
    AccessModule,
    TenantsModule,
    ObservabilityModule,
    EventsModule,
    ScheduledJobsModule,
    AdmissionModule,
    TypeOrmModule.forFeature(entities),
    ContentModule,
    OutboundModule,
  ],
  controllers: [MediaController, MediaFilesController],
  providers: [
    { provide: MediaStorage, inject: [Config], useFactory: openStorage },
    FetchedUpload,
    UploadFolder,
    MediaFilesService,
    MediaListsService,
    MediaLookup,
    MediaPresenter,
    MediaService,
    MediaSweeper,
    MetadataStripping,
    Pictures,
    PictureMetrics,
    PrivateFiles,
    PublicUrl,
    UploadAdmission,
    UploadBodyPipe,
    UploadsService,
    VariantBudget,
    VariantSignatures,
    VariantUrlsService,
    VariantUses,
    VariantsService,
  ],
  exports: [PrivateFiles, UploadAdmission, UploadFolder],
})
export class MediaModule implements OnModuleInit {
  constructor(private readonly cors: Cors) {}

  /** Refusals too are responses that a page can read. */
  onModuleInit(): void {
    this.cors.allowAnyOrigin('GET', PUBLIC_FILES);
  }
}
