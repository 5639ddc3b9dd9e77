import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Tables } from '../rooms/room.js';
import { connectAndMigrate, dataSourceOptions } from './data-source.js';
import { Database } from './database.js';
import { DatabaseProbe } from './database-probe.js';

@Global()
@Module({ providers: [Database], exports: [Database, DatabaseProbe, TypeOrmModule] })
export class DatabaseModule {
  /** Runs the migrations when it is initialized. The modules register their entities. */
  static at(url: string, poolSize: number, { migrations }: Tables): DynamicModule {
    return {
      module: DatabaseModule,
      providers: [{ provide: DatabaseProbe, useFactory: () => new DatabaseProbe(url) }],
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: () => ({
            ...dataSourceOptions(url, poolSize, { migrations }),
            autoLoadEntities: true,
            retryAttempts: 0,
          }),
          dataSourceFactory: async (options) => connectAndMigrate(options!),
        }),
      ],
    };
  }
}
