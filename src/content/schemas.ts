import { Injectable } from '@nestjs/common';
import type { PublicResources } from '../access/access.js';
import type { Caller } from '../http/caller.js';
import { Database } from '../database/database.js';
import { afterCommit } from '../database/unit-of-work.js';
import { statement } from '../database/statements/statement.js';
import { Problem } from '../errors/problem.js';
import type { IndexNames } from '../fields/compiled-field.js';
import type { FieldDefinition } from '../fields/field-definition.js';
import { SCHEMA_CACHE_BYTES, schemaBytes } from '../fields/schema-bytes.js';
import type { LocaleSettings } from '../fields/localized/locale-settings.js';
import { Schema } from '../fields/schema.js';
import { missingSlug, slugsOf } from '../ids/missing-slug.js';
import { type IdOrSlug, parseIdOrSlug } from '../ids/id-or-slug.js';
import type { ContentType, Targets } from './content-type.entity.js';
import { type SearchLanguage, loadStemmer, type Stemmer } from '../search/stemmer.js';
import { TenantCache } from '../admission/tenant-cache.js';
import { type LocaleSearch, localeSearch } from './words/locale-search.js';

/** A content type with its definitions compiled. */
export interface CompiledType {
  id: string;
  slug: string;
  version: number;
  /** Published entries are read without an API key. */
  isPublic: boolean;
  schema: Schema;
  targets: Targets;
  /** Whether references may have to be refused or cleared when an entry is deleted. */
  isGuarded: boolean;
  /** Of the type's language; undefined if it has none. */
  stem: Stemmer | undefined;
  /** The locales of its entries. Null if no field is localized. */
  locales: LocaleSettings | null;
  /** How they are searched in these. Undefined if no field is localized. */
  localeSearch?: LocaleSearch;
}

/** What the search documents of a type's entries depend on. */
export type IndexedType = Pick<CompiledType, 'id' | 'schema' | 'stem' | 'localeSearch'>;

interface Row {
  id: string;
  slug: string;
  version: number;
  isPublic: boolean;
  isGuarded: boolean;
  fields: string;
  targets: string;
  indexNames: string | null;
  language: SearchLanguage | null;
  locales: string | null;
}

const SELECT =
  'SELECT id, slug, version, public IS TRUE AS "isPublic", guarded IS TRUE AS "isGuarded", fields, targets, index_names AS "indexNames", language, locales FROM content_types' as const;

const BY_ID = statement<{ typeId: string }, Row>()(
  'schemas.by_id',
  `${SELECT} WHERE tenant_id = :tenantId AND id = :typeId`,
);

const BY_SLUG = statement<{ slug: string }, Row>()(
  'schemas.by_slug',
  `${SELECT} WHERE tenant_id = :tenantId AND slug = :slug`,
);

export const CONTENT_TYPE_SLUGS = slugsOf('content_types', 'content type');

const SLUG_CACHE_BYTES = 4 * 1024 * 1024;
/** Memory of a slug and the ID that it leads to, about. */
const SLUG_BYTES = 400;

/**
 * Caches compiled schemas by content type. Other processes are not notified of a change. Every statement that relies on a schema names
 * the schema version and fails if that version is no longer current; the caller then asks for a `fresh` schema, by the same name.
 */
@Injectable()
export class Schemas implements PublicResources {
  private readonly cache = new TenantCache<CompiledType>(SCHEMA_CACHE_BYTES);
  private readonly ids = new TenantCache<{ id: string }>(SLUG_CACHE_BYTES);

  constructor(private readonly database: Database) {}

  /** Returns the cached schema, which may be stale. Throws a 404 if the content type is unknown. */
  async get(tenantId: string, name: IdOrSlug): Promise<CompiledType> {
    return this.cached(tenantId, name) ?? this.fresh(tenantId, name);
  }

  /** Returns the current schema. Throws a 404 if the content type is unknown. */
  async fresh(tenantId: string, name: IdOrSlug): Promise<CompiledType> {
    const type = await this.read(tenantId, name);
    if (!type) throw await missingSlug(this.database, tenantId, CONTENT_TYPE_SLUGS, name);
    return type;
  }

  /** Same as `get`, or as `fresh` if it must be current. Returns undefined if the content type is unknown. */
  async find(
    { tenantId, share }: Pick<Caller, 'tenantId' | 'share'>,
    id: string,
    isFresh: boolean,
  ): Promise<CompiledType | undefined> {
    const cached = isFresh ? undefined : this.cached(tenantId, { id });
    return cached ?? this.read(tenantId, { id }, share);
  }

  /** Same as `find`, for a type that is referred to. Returns undefined also if the caller may not read its entries. */
  async findReadable(caller: Caller, id: string, isFresh: boolean): Promise<CompiledType | undefined> {
    if (caller.types?.has(id) === false) return undefined;
    const type = await this.find(caller, id, isFresh);
    if (!caller.requireKey || type?.isPublic) return type;
    // A cached type may have become public.
    const current = isFresh ? type : await this.find(caller, id, true);
    return current?.isPublic ? current : undefined;
  }

  /** The path names a content type. Nobody without an API key learns whether another one exists. */
  async requirePublic(caller: Caller, { content_type_id: name = '' }: Record<string, string>): Promise<void> {
    const type = parseIdOrSlug('ct', name);
    await (type ? this.readable(caller, type) : caller.requireKey?.());
  }

  /** Same as `get`. Without an API key, throws a 401 unless the type is known to be public. */
  async readable({ tenantId, share, requireKey }: Caller, name: IdOrSlug): Promise<CompiledType> {
    if (!requireKey) return this.get(tenantId, name);
    const cached = this.cached(tenantId, name);
    if (cached?.isPublic) return cached;
    const type = await this.read(tenantId, name, share).catch((error: unknown) => {
      // While the database cannot be reached, it is not known whether the type is public.
      if (error instanceof Problem) throw error;
      return undefined;
    });
    return type?.isPublic ? type : requireKey();
  }

  /** Same as `fresh`. Without an API key, throws a 401 if the type is unknown. */
  async current(caller: Caller, name: IdOrSlug): Promise<CompiledType> {
    if (!caller.requireKey) return this.fresh(caller.tenantId, name);
    return (await this.read(caller.tenantId, name, caller.share)) ?? caller.requireKey();
  }

  forget(tenantId: string, typeId: string): void {
    void afterCommit(() => this.cache.delete(tenantId, typeId));
  }

  private cached(tenantId: string, { id, slug }: IdOrSlug): CompiledType | undefined {
    const type = this.cache.get(tenantId, id ?? this.ids.get(tenantId, slug)?.id ?? '');
    return slug === undefined || type?.slug === slug ? type : undefined;
  }

  private async read(tenantId: string, name: IdOrSlug, share?: string): Promise<CompiledType | undefined> {
    const { id, slug } = name;
    const [row] = await (id === undefined
      ? this.database.query(tenantId, BY_SLUG, { slug }, share)
      : this.database.query(tenantId, BY_ID, { typeId: id }, share));
    if (!row) {
      if (id !== undefined) this.cache.delete(tenantId, id);
      else this.ids.delete(tenantId, slug);
      return undefined;
    }
    const earlier = this.cache.get(tenantId, row.id);
    const type = earlier?.version === row.version ? earlier : await compile(row);
    // The row may be of a change that is not committed yet.
    void afterCommit(() => {
      if (slug !== undefined) this.ids.set(tenantId, slug, { id: row.id }, SLUG_BYTES);
      if (type !== earlier)
        this.cache.set(tenantId, row.id, type, schemaBytes(row.fields) * (type.locales?.locales.length ?? 1));
    });
    return type;
  }
}

async function compile({
  fields,
  targets,
  indexNames,
  language,
  locales: settings,
  ...row
}: Row): Promise<CompiledType> {
  const locales = settings === null ? null : (JSON.parse(settings) as LocaleSettings);
  return {
    ...row,
    locales,
    ...(await searchedAs({ language, locales })),
    schema: Schema.compile(
      JSON.parse(fields) as FieldDefinition[],
      'content',
      indexNames === null ? null : (JSON.parse(indexNames) as IndexNames),
      locales,
    ),
    targets: JSON.parse(targets) as Targets,
  };
}

/** How entries of a type with this language and these locales are searched. */
export async function searchedAs({
  language,
  locales,
}: Pick<ContentType, 'language' | 'locales'>): Promise<Pick<IndexedType, 'stem' | 'localeSearch'>> {
  return { stem: await stemmerOf({ language }), localeSearch: await localeSearch(locales, language) };
}

async function stemmerOf({ language }: { language: SearchLanguage | null }): Promise<Stemmer | undefined> {
  return language === null ? undefined : loadStemmer(language);
}
