import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { statement } from '../database/statement.js';
import { Problem } from '../errors/problem.js';
import type { FieldDefinition } from '../fields/field-definition.js';
import { SCHEMA_CACHE_BYTES, schemaBytes } from '../fields/schema-bytes.js';
import { Schema } from '../fields/schema.js';
import type { Targets } from './content-type.entity.js';
import { TenantCache } from '../tenants/tenant-cache.js';

/** A content type's definitions, compiled. */
export interface CompiledType {
  version: number;
  schema: Schema;
  targets: Targets;
}

interface Row {
  version: number;
  fields: string;
  targets: string;
}

const GET_SCHEMA = statement<{ typeId: string }, Row>()(
  'schemas.get',
  'SELECT version, fields, targets FROM content_types WHERE tenant_id = :tenantId AND id = :typeId',
);

/**
 * Caches compiled schemas by content type. Other processes are not notified of a change. Every statement that relies on a schema names
 * the schema version and fails if that version is no longer current; the caller then asks for a `fresh` schema.
 */
@Injectable()
export class Schemas {
  private readonly cache = new TenantCache<CompiledType>(SCHEMA_CACHE_BYTES);

  constructor(private readonly database: Database) {}

  /** Returns the cached schema, which may be stale. Throws a 404 if the content type is unknown. */
  async get(tenantId: string, typeId: string): Promise<CompiledType> {
    return this.cache.get(tenantId, typeId) ?? this.fresh(tenantId, typeId);
  }

  /** Returns the current schema. Throws a 404 if the content type is unknown. */
  async fresh(tenantId: string, typeId: string): Promise<CompiledType> {
    const [row] = await this.database.query(tenantId, GET_SCHEMA, { typeId });
    if (!row) {
      this.cache.delete(tenantId, typeId);
      throw Problem.notFound('content type');
    }
    const earlier = this.cache.get(tenantId, typeId);
    if (earlier?.version === row.version) return earlier;
    const type = compile(row);
    this.cache.set(tenantId, typeId, type, schemaBytes(row.fields));
    return type;
  }

  forget(tenantId: string, typeId: string): void {
    this.cache.delete(tenantId, typeId);
  }
}

function compile({ version, fields, targets }: Row): CompiledType {
  return {
    version,
    schema: Schema.compile(JSON.parse(fields) as FieldDefinition[], 'content'),
    targets: JSON.parse(targets) as Targets,
  };
}
