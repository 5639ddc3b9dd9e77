import { type MiddlewareConsumer, Module, type NestModule, RequestMethod } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FormSchemas } from './form-schemas.js';
import { FormsController } from './forms.controller.js';
import { FormsService } from './forms.service.js';
import { SubmissionListService } from './submission-list.service.js';
import { SubmissionsController } from './submissions.controller.js';
import { SubmissionsService } from './submissions.service.js';
import { SubmitCors } from './submit-cors.js';
import { entities } from './forms.tables.js';
import { EventsModule } from '../events/events.module.js';
import { TenantsModule } from '../tenants/tenants.module.js';

const SUBMIT = 'v1/forms/:tenant_id/:form_id/submissions';

/** Forms and their submissions. */
@Module({
  imports: [TenantsModule, EventsModule, TypeOrmModule.forFeature(entities)],
  controllers: [FormsController, SubmissionsController],
  providers: [FormsService, SubmissionsService, SubmissionListService, FormSchemas],
})
export class FormsModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer
      .apply(SubmitCors)
      .forRoutes({ path: SUBMIT, method: RequestMethod.POST }, { path: SUBMIT, method: RequestMethod.OPTIONS });
  }
}
