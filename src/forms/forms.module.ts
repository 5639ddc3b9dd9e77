import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FormSchemas } from './form-schemas.js';
import { FormsController } from './forms.controller.js';
import { FormsService } from './forms.service.js';
import { SubmissionListService } from './submission-list.service.js';
import { SubmissionsController } from './submissions.controller.js';
import { SubmissionsService } from './submissions.service.js';
import { AccessModule } from '../access/access.module.js';
import { Cors } from '../access/cors.js';
import { entities } from './forms.tables.js';
import { EventsModule } from '../events/events.module.js';
import { TenantsModule } from '../tenants/tenants.module.js';

const SUBMISSIONS = /^\/v1\/forms\/[^/]+\/[^/]+\/submissions\/?$/;

/** Forms and their submissions. */
@Module({
  imports: [AccessModule, TenantsModule, EventsModule, TypeOrmModule.forFeature(entities)],
  controllers: [FormsController, SubmissionsController],
  providers: [FormsService, SubmissionsService, SubmissionListService, FormSchemas],
})
export class FormsModule implements OnModuleInit {
  constructor(private readonly cors: Cors) {}

  /** Refusals of a submission by its origin are responses that the page can read. */
  onModuleInit(): void {
    this.cors.allowAnyOrigin('POST', SUBMISSIONS);
  }
}
