import { type DynamicModule, Global, Logger, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import type { Tables } from '../rooms/room.js';
import { connectAndMigrate, dataSourceOptions } from './data-source.js';
import { Database } from './database.js';
import { DatabaseProbe } from './database-probe.js';
import { DatabaseWatches } from './database-watches.js';
import { Replicas } from './replicas.js';

interface Servers {
  url: string;
  replicaUrls: readonly string[];
  /** Connections to each server. */
  poolSize: number;
}

@Global()
@Module({ providers: [Database], exports: [Database, DatabaseProbe, DatabaseWatches, Replicas, TypeOrmModule] })
export class DatabaseModule {
  /** Runs the migrations when it is initialized. The modules register their entities. */
  static at({ url, replicaUrls, poolSize }: Servers, { migrations }: Tables): DynamicModule {
    return {
      module: DatabaseModule,
      providers: [
        { provide: DatabaseProbe, useFactory: () => new DatabaseProbe(url) },
        { provide: DatabaseWatches, useFactory: () => new DatabaseWatches(url) },
        { provide: Replicas, useFactory: () => new Replicas(url, replicaUrls, poolSize) },
      ],
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: () => ({
            ...dataSourceOptions(url, poolSize, { migrations }),
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
