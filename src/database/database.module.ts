import { type DynamicModule, Global, Logger, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import type { Tables } from '../modules/module-manifest.js';
import { connectAndMigrate, dataSourceOptions } from './data-source.js';
import { Database } from './database.js';
import { DatabaseProbe } from './connections/database-probe.js';
import { DatabaseServers } from './servers/database-servers.js';
import { DatabaseWatches } from './connections/database-watches.js';
import { LimitedClient } from './connections/limited-client.js';
import { Replicas } from './servers/replicas.js';

interface Servers {
  url: string;
  replicaUrls: readonly string[];
  /** Connections to each server. */
  poolSize: number;
  /** All tenants. If the database is distributed, each is on one of its servers. */
  tenantIds: readonly string[];
}

@Global()
@Module({
  providers: [Database],
  exports: [Database, DatabaseProbe, DatabaseServers, DatabaseWatches, Replicas, TypeOrmModule],
})
export class DatabaseModule {
  /** Runs the migrations when it is initialized. The modules register their entities. */
  static at({ url, replicaUrls, poolSize, tenantIds }: Servers, { migrations }: Tables): DynamicModule {
    return {
      module: DatabaseModule,
      providers: [
        { provide: DatabaseProbe, useFactory: () => new DatabaseProbe(url) },
        {
          provide: DatabaseServers,
          useFactory: (probe: DatabaseProbe) => new DatabaseServers(url, probe, tenantIds),
          inject: [DatabaseProbe],
        },
        {
          provide: DatabaseWatches,
          useFactory: (probe: DatabaseProbe, servers: DatabaseServers) => new DatabaseWatches(url, probe, servers),
          inject: [DatabaseProbe, DatabaseServers],
        },
        { provide: Replicas, useFactory: () => new Replicas(url, replicaUrls, poolSize) },
      ],
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: () => ({
            ...limited(dataSourceOptions(url, poolSize, { migrations })),
            autoLoadEntities: true,
            retryAttempts: 0,
          }),
          dataSourceFactory: async (options) => {
            const logger = new Logger('Database');
            return connectAndMigrate(options as PostgresDataSourceOptions, (message) => logger.warn(message));
          },
        }),
      ],
    };
  }
}

/** `ConnectionQueue` decides how many of the connections are used. It uses more than `poolSize` only beside statements that are overdue. */
function limited(options: PostgresDataSourceOptions): PostgresDataSourceOptions {
  const extra = options.extra as object;
  return { ...options, extra: { ...extra, Client: LimitedClient, max: 2 * (options.poolSize ?? 1) } };
}
