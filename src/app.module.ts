import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { AccessModule } from './access/access.module.js';
import { AdmissionModule } from './admission/admission.module.js';
import { BacklogModule } from './backlog/backlog.module.js';
import type { Config } from './config/config.js';
import { ConfigModule } from './config/config.module.js';
import { DatabaseModule } from './database/database.module.js';
import { ProblemsModule } from './problem-pages/problems.module.js';
import { ProblemFilter } from './http/problem.filter.js';
import { ObservabilityModule } from './observability/observability.module.js';
import { RedisModule } from './redis/redis.module.js';
import { QueuesModule } from './queues/queues.module.js';
import { loadEventTypes } from './modules/event-types.js';
import { loadFieldTypes } from './modules/field-types.js';
import { installedModules } from './modules/installed-modules.js';
import { tablesOfModules } from './modules/tables.js';

/** Imports all modules, and sets the filter that handles their errors. */
@Module({
  imports: [AdmissionModule, AccessModule, ProblemsModule, ObservabilityModule, BacklogModule],
  providers: [{ provide: APP_FILTER, useClass: ProblemFilter }],
})
export class AppModule {
  /** Returns the application of the installed modules for a running database. */
  static async of(config: Config, databaseUrl: string): Promise<DynamicModule> {
    await loadFieldTypes();
    await loadEventTypes();
    return {
      module: AppModule,
      imports: [
        ConfigModule.of(config),
        DatabaseModule.at(serversOf(config, databaseUrl), await tablesOfModules()),
        RedisModule,
        QueuesModule.of(config),
        ...(await Promise.all(modulesFor(config).map((manifest) => manifest.module()))),
      ],
    };
  }
}

/** The installed modules that the configuration does not turn off. */
function modulesFor(config: Config) {
  return installedModules().filter(({ isOn }) => isOn?.(config) ?? true);
}

/** The reads of a worker are few, or are followed by writes. */
function serversOf({ role, databaseReplicaUrls, databasePoolSize, tenants }: Config, url: string) {
  const replicaUrls = role === 'worker' ? [] : databaseReplicaUrls;
  return { url, replicaUrls, poolSize: databasePoolSize, tenantIds: tenants.map(({ id }) => id) };
}
