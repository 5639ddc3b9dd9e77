import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../database/database.js';
import { Problem } from '../errors/problem.js';
import type { FieldDefinition } from '../fields/field-definition.js';
import { SCHEMA_CACHE_BYTES, schemaBytes } from '../fields/schema-bytes.js';
import { Schema } from '../fields/schema.js';
import { MAX_SLUG_LENGTH, SLUG_PATTERN } from '../ids/slug.js';
import { formatId, parseId } from '../ids/type-id.js';
import { TenantCache } from '../tenants/tenant-cache.js';

/** A form, ready to check what is submitted to it. */
export interface CompiledForm {
  id: string;
  schema: Schema;
}

const BY_ID = {
  name: 'forms.by_id',
  text: 'SELECT id, fields FROM forms WHERE tenant_id = $1 AND id = $2',
};

const BY_SLUG = {
  name: 'forms.by_slug',
  text: 'SELECT id, fields FROM forms WHERE tenant_id = $1 AND slug = $2',
};

/**
 * Compiled forms by public id and by slug (which can't be mistaken for each other: a slug holds no `_`). A form never changes, so
 * what is kept stays right; what was not found is looked up again, since it may be created any time.
 */
@Injectable()
export class FormSchemas {
  private readonly kept = new TenantCache<CompiledForm>(SCHEMA_CACHE_BYTES);

  constructor(private readonly database: Database) {}

  /** 404 for an unknown form. */
  async get(tenantId: string, formId: string): Promise<CompiledForm> {
    return this.find(tenantId, formatId('frm', formId), BY_ID, formId);
  }

  /** By what a visitor's request names: id or slug. 404 for an unknown form; what is neither costs no query. */
  async named(tenantId: string, idOrSlug: string): Promise<CompiledForm> {
    const id = parseId('frm', idOrSlug);
    if (id !== undefined) return this.get(tenantId, id);
    if (idOrSlug.length > MAX_SLUG_LENGTH || !SLUG_PATTERN.test(idOrSlug)) throw Problem.notFound('form');
    return this.find(tenantId, idOrSlug, BY_SLUG, idOrSlug);
  }

  private async find(tenantId: string, name: string, statement: Statement, value: string): Promise<CompiledForm> {
    const kept = this.kept.get(tenantId, name);
    if (kept) return kept;
    const [row] = await this.database.query<{ id: string; fields: string }>(tenantId, statement, [value]);
    if (!row) throw Problem.notFound('form');
    const form = { id: row.id, schema: Schema.compile(JSON.parse(row.fields) as FieldDefinition[], 'form') };
    this.kept.set(tenantId, name, form, schemaBytes(row.fields));
    return form;
  }
}
