import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { connectAndMigrate, dataSourceOptions } from './data-source.js';
import { Database } from './database.js';
import { DatabaseProbe } from './database-probe.js';

@Global()
@Module({ providers: [Database], exports: [Database, DatabaseProbe, TypeOrmModule] })
export class DatabaseModule {
  static at(url: string, poolSize: number): DynamicModule {
    return {
      module: DatabaseModule,
      providers: [{ provide: DatabaseProbe, useFactory: () => new DatabaseProbe(url) }],
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: () => ({ ...dataSourceOptions(url, poolSize), autoLoadEntities: true, retryAttempts: 0 }),
          dataSourceFactory: async (options) => connectAndMigrate(options!),
        }),
      ],
    };
  }
}
