import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { connectAndMigrate, dataSourceOptions } from './data-source.js';
import { Database } from './database.js';

@Global()
@Module({ providers: [Database], exports: [Database, TypeOrmModule] })
export class DatabaseModule {
  static at(url: string, poolSize: number): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: () => ({ ...dataSourceOptions(url, poolSize), retryAttempts: 0 }),
          dataSourceFactory: async (options) => connectAndMigrate(options!),
        }),
      ],
    };
  }
}
