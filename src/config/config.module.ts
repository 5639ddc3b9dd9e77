import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Config } from './config.js';

/** Provides the configuration, which is loaded before the application, to all modules. */
@Global()
@Module({})
export class ConfigModule {
  static of(config: Config): DynamicModule {
    return { module: ConfigModule, providers: [{ provide: Config, useValue: config }], exports: [Config] };
  }
}
