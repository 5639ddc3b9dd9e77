/**
 * Writes openapi.json from the code, without a database: `npm run openapi`. With --check it writes nothing, and fails if the file differs
 * from the code. It also fails if the document is not valid OpenAPI 3.1.
 */
import 'reflect-metadata';
import { readFile, writeFile } from 'node:fs/promises';
import { NestFactory } from '@nestjs/core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { AppModule } from '../dist/src/app.module.js';
import { configure } from '../dist/src/configure.js';
import { apiDocument } from '../dist/src/openapi/document.js';

const FILE = new URL('../openapi.json', import.meta.url);

// Preview mode instantiates nothing and opens no connections; the values only have to be valid.
const config = await configure({ TENANTS: '[]', ENCRYPTION_KEY: Buffer.alloc(32).toString('base64') });
const module = await AppModule.of(config, 'postgres://preview');
const app = await NestFactory.create(module, { preview: true, logger: ['error'], abortOnError: false });
const text = `${JSON.stringify(apiDocument(app), null, 2)}\n`;

const { valid, errors } = await new Validator().validate(JSON.parse(text));
if (!valid) throw new Error(`The document is not valid OpenAPI:\n${JSON.stringify(errors, null, 2)}`);

if (process.argv.includes('--check')) {
  if (text !== (await readFile(FILE, 'utf8'))) {
    console.error('openapi.json differs from the code: run npm run openapi, and look at the difference.');
    process.exitCode = 1;
  }
} else {
  await writeFile(FILE, text);
  console.log('openapi.json is written.');
}
