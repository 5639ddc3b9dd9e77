import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { statement } from '../database/statements/statement.js';
import { Problem } from '../errors/problem.js';
import type { FieldDefinition } from '../fields/field-definition.js';
import { SCHEMA_CACHE_BYTES, schemaBytes } from '../fields/schema-bytes.js';
import { Schema } from '../fields/schema.js';
import type { IndexNames } from '../fields/compiled-field.js';
import { parseIdOrSlug } from '../ids/id-or-slug.js';
import { formatId } from '../ids/type-id.js';
import { TenantCache } from '../admission/tenant-cache.js';
import type { Reindexing } from './form.entity.js';
import type { FormSettings } from './settings/form-settings.js';

/** A form as the path of a request names it. */
export interface FormName {
  tenantId: string;
  idOrSlug: string;
}

/** A form with its compiled schema, in one of its versions. */
export interface CompiledForm {
  id: string;
  name: string;
  slug: string;
  version: number;
  schema: Schema;
  settings: FormSettings;
  /** The fields that no list can be sorted by yet. */
  unindexed: readonly string[];
}

interface Cached extends CompiledForm {
  /** When the form was read, in milliseconds. */
  readAt: number;
}

/** The last four are JSON text. */
interface Row {
  id: string;
  name: string;
  slug: string;
  version: number;
  fields: string;
  settings: string | null;
  indexNames: string | null;
  reindexing: string | null;
}

const COLUMNS = 'id, name, slug, version, fields, settings, index_names AS "indexNames", reindexing' as const;

const BY_ID = statement<{ formId: string }, Row>()(
  'forms.by_id',
  `SELECT ${COLUMNS} FROM forms WHERE tenant_id = :tenantId AND id = :formId`,
);

const BY_SLUG = statement<{ slug: string }, Row>()(
  'forms.by_slug',
  `SELECT ${COLUMNS} FROM forms WHERE tenant_id = :tenantId AND slug = :slug`,
);

/** A form changes rarely, so a request that finds a changed one this often meets an endless series of changes. */
const MAX_ATTEMPTS = 10;

/**
 * Caches compiled forms by public ID and by slug. The two kinds of keys cannot collide, because a slug does not contain `_`. Other processes
 * are not notified of changes: every use of a form is one of its `attempts`, or states how old the form may be. Unknown forms are not
 * cached, because they may be created at any time.
 */
@Injectable()
export class FormSchemas {
  private readonly cache = new TenantCache<Cached>(SCHEMA_CACHE_BYTES);

  constructor(private readonly database: Database) {}

  /**
   * Looks up a form by ID or slug. Throws a 404 if it is unknown. A name that is neither an ID nor a slug takes no query. A form that was
   * read more than `maxAgeMs` ago is read again.
   */
  async named(tenantId: string, idOrSlug: string, maxAgeMs = Infinity): Promise<CompiledForm> {
    const cached = this.cached(tenantId, idOrSlug, maxAgeMs);
    if (cached) return cached;
    const form = await this.read(tenantId, idOrSlug, this.cache.get(tenantId, idOrSlug));
    if (!form) throw Problem.notFound('form');
    return form;
  }

  /** Returns the form if it is cached, and was read at most `maxAgeMs` ago. */
  cached(tenantId: string, idOrSlug: string, maxAgeMs = Infinity): CompiledForm | undefined {
    const cached = this.cache.get(tenantId, idOrSlug);
    return cached && performance.now() - cached.readAt <= maxAgeMs ? cached : undefined;
  }

  /** Returns the form as it is now. */
  async current(tenantId: string, formId: string): Promise<CompiledForm> {
    return this.named(tenantId, formatId('frm', formId), -1);
  }

  /** Forgets forms that this process has changed or deleted, so that a use that states how old a form may be reads them again. */
  forget(tenantId: string, forms: readonly { id: string; slug: string }[]): void {
    for (const name of forms.flatMap(({ id, slug }) => [formatId('frm', id), slug])) this.cache.delete(tenantId, name);
  }

  /**
   * The attempts to use a form. Each is the form as it is cached. After an attempt that was lost because the form has changed, the next one has
   * it as it is now. So a change takes effect at once in every process, and nothing is asked of the database if the form is current:
   *
   *     for await (const form of this.forms.attempts(name)) {
   *       try {
   *         …
   *         if (written) return …;
   *       } catch (error) {
   *         await this.forms.throwIfCurrent(name, form, error);
   *       }
   *     }
   *     throw changesTooOften();
   */
  async *attempts({ tenantId, idOrSlug }: FormName): AsyncGenerator<CompiledForm> {
    let lost: CompiledForm | undefined;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const cached = await this.named(tenantId, idOrSlug);
      lost = cached === lost ? await this.named(tenantId, idOrSlug, -1) : cached;
      yield lost;
    }
  }

  /**
   * Throws the error of an attempt, unless it refuses what a form asked for that has changed since. Nothing is written for what is refused, so no
   * statement notices the change. Throws a 404 if the form no longer exists under this name.
   */
  async throwIfCurrent({ tenantId, idOrSlug }: FormName, { id, version }: CompiledForm, error: unknown): Promise<void> {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    const now = await this.named(tenantId, idOrSlug, -1);
    if (now.id === id && now.version === version) throw error;
  }

  /** Reads the form. If it is still in the version that is cached, that stays as it is. */
  private async read(
    tenantId: string,
    idOrSlug: string,
    cached: Cached | undefined,
  ): Promise<CompiledForm | undefined> {
    const name = parseIdOrSlug('frm', idOrSlug);
    const readAt = performance.now();
    const [row] = !name
      ? []
      : name.id !== undefined
        ? await this.database.query(tenantId, BY_ID, { formId: name.id })
        : await this.database.query(tenantId, BY_SLUG, { slug: name.slug });
    if (!row) {
      this.cache.delete(tenantId, idOrSlug);
      return undefined;
    }
    const unindexed = row.reindexing === null ? [] : (JSON.parse(row.reindexing) as Reindexing).names;
    if (cached?.id === row.id && cached.version === row.version) return Object.assign(cached, { readAt, unindexed });
    const form = { ...compiled(row), unindexed, readAt };
    const bytes = schemaBytes(row.fields) + (row.settings?.length ?? 0);
    this.cache.set(tenantId, idOrSlug, form, bytes);
    return form;
  }
}

function compiled({ id, name, slug, version, fields, settings, indexNames }: Row): Omit<CompiledForm, 'unindexed'> {
  const names = indexNames === null ? null : (JSON.parse(indexNames) as IndexNames);
  const schema = Schema.compile(JSON.parse(fields) as FieldDefinition[], 'form', names);
  return { id, name, slug, version, schema, settings: JSON.parse(settings ?? '{}') as FormSettings };
}

export function changesTooOften(): Problem {
  return Problem.unavailable('The form is being changed too often.');
}
