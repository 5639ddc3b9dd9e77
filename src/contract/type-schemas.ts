import { Injectable } from '@nestjs/common';
import { heavyWork } from '../admission/heavy-work.js';
import type { SlicedWork } from '../admission/sliced-work.js';
import { TenantCache } from '../admission/tenant-cache.js';
import type { FieldDefinition } from '../fields/field-definition.js';
import { recordSchema } from '../fields/json-schemas/record-schema.js';
import { Schema } from '../fields/schema.js';
import type { Caller } from '../http/caller.js';
import { StaticFile } from '../http/responses/static-file.js';
import type { IdOrSlug } from '../ids/id-or-slug.js';
import { stringifySliced } from '../json/stringify-sliced.js';
import { ContractReader } from './contract-reader.js';
import type { NamedTypeRow } from './contract.sql.js';

const CACHE_BYTES = 8 * 1024 * 1024;
const MEDIA_TYPE = 'application/schema+json; charset=utf-8';

/** The JSON Schemas of content types. The `ETag` is made of the text, so it stays if a change of a type is not one of its fields. */
@Injectable()
export class TypeSchemas {
  private readonly cache = new TenantCache<StaticFile>(CACHE_BYTES);

  constructor(private readonly reader: ContractReader) {}

  /** Throws a 404 if the content type is unknown. */
  async fileFor(caller: Caller, name: IdOrSlug): Promise<StaticFile> {
    const type = await this.reader.typeNamed(caller, name);
    const key = `${type.id} ${type.revision}`;
    const cached = this.cache.get(caller.tenantId, key);
    if (cached) return cached;
    const text = await heavyWork.run(caller.tenantId, textOf(type));
    const file = new StaticFile(MEDIA_TYPE, text);
    this.cache.set(caller.tenantId, key, file, text.length * 1.5);
    return file;
  }
}

function* textOf({ name, fields }: NamedTypeRow): SlicedWork<string> {
  const schema = Schema.compile(JSON.parse(fields) as FieldDefinition[], 'content');
  yield;
  return yield* stringifySliced(yield* recordSchema(schema, { title: name }));
}
