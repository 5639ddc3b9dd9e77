import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { statement } from '../database/statement.js';
import { Problem } from '../errors/problem.js';
import type { FieldDefinition } from '../fields/field-definition.js';
import { SCHEMA_CACHE_BYTES, schemaBytes } from '../fields/schema-bytes.js';
import { Schema } from '../fields/schema.js';
import { parseIdOrSlug } from '../ids/id-or-slug.js';
import { formatId } from '../ids/type-id.js';
import { TenantCache } from '../tenants/tenant-cache.js';

/** A form with its compiled schema. */
export interface CompiledForm {
  id: string;
  schema: Schema;
}

/** `fields` is JSON text. */
interface Row {
  id: string;
  fields: string;
}

const BY_ID = statement<{ formId: string }, Row>()(
  'forms.by_id',
  'SELECT id, fields FROM forms WHERE tenant_id = :tenantId AND id = :formId',
);

const BY_SLUG = statement<{ slug: string }, Row>()(
  'forms.by_slug',
  'SELECT id, fields FROM forms WHERE tenant_id = :tenantId AND slug = :slug',
);

/**
 * Caches compiled forms by public ID and by slug. The two kinds of keys cannot collide, because a slug does not contain `_`. A form never
 * changes, so cached forms stay valid. Unknown forms are not cached, because they may be created at any time.
 */
@Injectable()
export class FormSchemas {
  private readonly cache = new TenantCache<CompiledForm>(SCHEMA_CACHE_BYTES);

  constructor(private readonly database: Database) {}

  /** Throws a 404 if the form is unknown. */
  async get(tenantId: string, formId: string): Promise<CompiledForm> {
    return this.find(tenantId, formatId('frm', formId), () => this.database.query(tenantId, BY_ID, { formId }));
  }

  /** Looks up a form by ID or slug. Throws a 404 if it is unknown. A name that is neither an ID nor a slug takes no query. */
  async named(tenantId: string, idOrSlug: string): Promise<CompiledForm> {
    const name = parseIdOrSlug('frm', idOrSlug);
    if (!name) throw Problem.notFound('form');
    const { id, slug } = name;
    if (id !== undefined) return this.get(tenantId, id);
    return this.find(tenantId, slug, () => this.database.query(tenantId, BY_SLUG, { slug }));
  }

  private async find(tenantId: string, name: string, read: () => Promise<Row[]>): Promise<CompiledForm> {
    const cached = this.cache.get(tenantId, name);
    if (cached) return cached;
    const [row] = await read();
    if (!row) throw Problem.notFound('form');
    const form = { id: row.id, schema: Schema.compile(JSON.parse(row.fields) as FieldDefinition[], 'form') };
    this.cache.set(tenantId, name, form, schemaBytes(row.fields));
    return form;
  }
}
