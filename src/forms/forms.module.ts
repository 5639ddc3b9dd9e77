import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FormDeletions } from './form-deletions.js';
import { FormSchemas } from './form-schemas.js';
import { FormsController } from './forms.controller.js';
import { AbsentFormFieldTypes } from './absent-field-types.service.js';
import { FormsService } from './forms.service.js';
import { InboxController } from './inbox/inbox.controller.js';
import { InboxService } from './inbox/inbox.service.js';
import { SubmissionListService } from './inbox/submission-list.service.js';
import { SubmissionExportService } from './inbox/submission-export.service.js';
import { SubmissionStatisticsController } from './inbox/submission-statistics.controller.js';
import { SubmissionStatistics } from './inbox/submission-statistics.service.js';
import { SubmissionWords } from './inbox/submission-words.js';
import { SpamFiles } from './files/spam-files.js';
import { SubmissionFiles } from './files/submission-files.js';
import { SubmissionFilesController } from './files/submission-files.controller.js';
import { SubmissionUploads } from './files/submission-uploads.js';
import { UploadTimes } from './files/upload-times.js';
import { PublicUrl } from '../http/public-url.js';
import { FormPages } from './pages/form-pages.js';
import { FormPagesController } from './pages/form-pages.controller.js';
import { PageAnswers, PageProblemFilter, SubmissionProblemFilter } from './pages/page-answers.js';
import { PageParts } from './pages/page-parts.js';
import { Redirects } from './redirects.js';
import { Challenges } from './spam/challenges.js';
import { ChallengesService } from './spam/challenges.service.js';
import { FormWarnings } from './spam/form-warnings.js';
import { ChallengeController, TokenScriptController, VerdictsController } from './spam/spam.controller.js';
import { SolutionRetention } from './spam/solution-retention.js';
import { SpamChecks } from './spam/spam-checks.js';
import { SpamPagePart } from './spam/spam-page-part.js';
import { ErasureTimes } from './retention/erasure-times.js';
import { ErasuresController } from './retention/erasures.controller.js';
import { ErasuresService } from './retention/erasures.service.js';
import { SubmissionRetention } from './retention/submission-retention.js';
import { UnstoredSubmissions } from './retention/unstored-submissions.js';
import { UnstoredTimes } from './retention/unstored-times.js';
import { SubmissionImportsController } from './imports/submission-imports.controller.js';
import { ImportedFiles } from './imports/imported-files.js';
import { SubmissionImports } from './imports/submission-imports.service.js';
import { ChangeVerdict } from './submissions/change-verdict.js';
import { CreateSubmission } from './submissions/create-submission.js';
import { SubmissionBodyPipe } from './submissions/submission-body.js';
import { SubmissionDeletions } from './submissions/submission-deletions.js';
import { SubmissionLimits } from './submissions/submission-limits.js';
import { SubmissionReindexing } from './submissions/submission-reindexing.js';
import { SubmissionWriter } from './submissions/submission-writer.js';
import { SubmissionsController } from './submissions/submissions.controller.js';
import { ExchangeModule } from '../lists/exchange/exchange.module.js';
import { AdmissionModule } from '../admission/admission.module.js';
import { AccessModule } from '../access/access.module.js';
import { Cors } from '../access/cors.js';
import { entities } from './forms.tables.js';
import { ScheduledJobsModule } from '../scheduled-jobs/scheduled-jobs.module.js';
import { EventsModule } from '../events/events.module.js';
import { MediaModule } from '../media/media.module.js';
import { TenantsModule } from '../tenants/tenants.module.js';
import { TotalCache } from '../lists/total-cache.js';

const SUBMISSIONS = /^\/v1\/forms\/[^/]+\/[^/]+\/submissions\/?$/;
const EMBED_SCRIPT = /^\/f\/embed\.js$/;

const PAGES = [FormPages, PageAnswers, PageParts, PageProblemFilter, SubmissionBodyPipe, SubmissionProblemFilter];

/** Forms and their submissions. */
@Module({
  imports: [
    AccessModule,
    AdmissionModule,
    ExchangeModule,
    TenantsModule,
    EventsModule,
    ScheduledJobsModule,
    MediaModule,
    TypeOrmModule.forFeature(entities),
  ],
  controllers: [
    FormsController,
    ErasuresController,
    InboxController,
    SubmissionsController,
    SubmissionImportsController,
    SubmissionFilesController,
    SubmissionStatisticsController,
    ChallengeController,
    TokenScriptController,
    VerdictsController,
    FormPagesController,
  ],
  providers: [
    AbsentFormFieldTypes,
    FormsService,
    FormSchemas,
    FormDeletions,
    PublicUrl,
    Redirects,
    ...PAGES,
    CreateSubmission,
    ImportedFiles,
    SubmissionImports,
    SubmissionWriter,
    SubmissionListService,
    TotalCache,
    SubmissionWords,
    SubmissionExportService,
    SubmissionStatistics,
    SubmissionDeletions,
    InboxService,
    SubmissionLimits,
    SubmissionReindexing,
    Challenges,
    ChallengesService,
    SpamChecks,
    SpamPagePart,
    FormWarnings,
    SolutionRetention,
    ChangeVerdict,
    ErasuresService,
    ErasureTimes,
    SubmissionRetention,
    SpamFiles,
    SubmissionFiles,
    SubmissionUploads,
    UploadTimes,
    UnstoredSubmissions,
    UnstoredTimes,
  ],
  exports: [FormsService],
})
export class FormsModule implements OnModuleInit {
  constructor(private readonly cors: Cors) {}

  /** Refusals of a submission by its origin are responses that the page can read. */
  onModuleInit(): void {
    this.cors.allowAnyOrigin('POST', SUBMISSIONS);
    // A script with `integrity` is fetched with CORS.
    this.cors.allowAnyOrigin('GET', EMBED_SCRIPT);
  }
}
