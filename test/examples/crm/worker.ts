/** A worker with the example, for the test that kills it. */
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../../src/app.module.js';
import { configure } from '../../../src/configure.js';
import { JsonLogger } from '../../../src/observability/logger.js';
import { CrmModule } from './crm.module.js';

const config = await configure();
const service = await AppModule.of(config, config.databaseUrl ?? '');
const imports = [...(service.imports ?? []), CrmModule.at(process.env['CRM_URL'] ?? '')];
const app = await NestFactory.createApplicationContext(
  { ...service, imports },
  { logger: new JsonLogger(config.logLevel) },
);
process.on('SIGTERM', () => void app.close().then(() => process.exit(0)));
process.stdout.write('ready\n');
