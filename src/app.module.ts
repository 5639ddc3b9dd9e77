import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { AccessModule } from './access/access.module.js';
import { AdmissionModule } from './admission/admission.module.js';
import type { Config } from './config/config.js';
import { ConfigModule } from './config/config.module.js';
import { ContentModule } from './content/content.module.js';
import { DatabaseModule } from './database/database.module.js';
import { ProblemsModule } from './problem-pages/problems.module.js';
import { ProblemFilter } from './errors/problem.filter.js';
import { EventsModule } from './events/events.module.js';
import { FormsModule } from './forms/forms.module.js';
import { MailModule } from './mail/mail.module.js';
import { MediaModule } from './media/media.module.js';
import { ObservabilityModule } from './observability/observability.module.js';
import { RedisModule } from './redis/redis.module.js';
import { QueuesModule } from './queues/queues.module.js';
import { TenantsModule } from './tenants/tenants.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** Imports all modules, and sets the filter that handles their errors. */
@Module({
  imports: [
    AdmissionModule,
    AccessModule,
    TenantsModule,
    EventsModule,
    ContentModule,
    FormsModule,
    MediaModule,
    WebhooksModule,
    MailModule,
    ProblemsModule,
    ObservabilityModule,
  ],
  providers: [{ provide: APP_FILTER, useClass: ProblemFilter }],
})
export class AppModule {
  /** Returns the application for a running database. */
  static of(config: Config, databaseUrl: string): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.of(config),
        DatabaseModule.at(databaseUrl, config.databasePoolSize),
        RedisModule,
        QueuesModule.of(config),
      ],
    };
  }
}
