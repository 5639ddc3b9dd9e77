import { Injectable } from '@nestjs/common';
import type { Caller } from '../http/caller.js';
import { Database, type Executor, type Transaction } from '../database/database.js';
import { statement } from '../database/statement.js';
import type { TenantRepository } from '../database/tenant-repository.js';
import { violatedConstraint } from '../errors/database-problem.js';
import { Problem, type ValueError } from '../errors/problem.js';
import { MAX_CONTENT_TYPES } from '../fields/attributes.js';
import { type FieldDefinition, namedTypes } from '../fields/field-definition.js';
import type { Checked } from '../http/dto.pipe.js';
import type { IdOrSlug } from '../ids/id-or-slug.js';
import { slugify } from '../ids/slug.js';
import { insertWithSlug, slugTaken } from '../ids/slugged.js';
import { formatId, newUuid, parseId, timeOf } from '../ids/type-id.js';
import { type LargeRecords, largeRecords, type LargeRow, largeStatements, unlessLarge } from '../lists/large-json.js';
import { newestFirst, newestFirstList } from '../lists/newest-first.js';
import type { ListMeta, Page } from '../lists/page.js';
import type { ContentTypeRow } from './content-type-presenter.js';
import { ContentType, type Targets, targetsOf } from './content-type.entity.js';
import type { CreateContentTypeDto, UpdateContentTypeDto } from './content-types.dto.js';
import { deleteEntries } from './entries/entries-deletion.js';
import { changeSchema } from './schema-change.js';
import { SchemaChangePlan } from './schema-change-plan.js';
import { Schemas, stemmerOf } from './schemas.js';
import { type Extent, TypeChanges } from './type-changes.js';

const COLUMNS = 'id, name, slug, created_at AS "createdAt"';
const LIST = newestFirstList<ContentTypeRow | LargeRow>({
  name: 'content types',
  table: 'content_types',
  columns: `${COLUMNS}, ${unlessLarge('fields')} AS fields`,
});
const LARGE_TYPES = largeStatements<ContentTypeRow>({ table: 'content_types', columns: COLUMNS, json: 'fields' });

@Injectable()
export class ContentTypesService {
  private readonly types: TenantRepository<ContentType>;

  constructor(
    private readonly database: Database,
    private readonly schemas: Schemas,
    private readonly changes: TypeChanges,
  ) {
    this.types = database.repository(ContentType);
  }

  async list(
    { tenantId }: Caller,
    page: Page,
  ): Promise<{ rows: (ContentTypeRow | LargeRow)[]; meta: ListMeta; large: LargeRecords<ContentTypeRow> }> {
    const large = largeRecords(this.database, tenantId, LARGE_TYPES, {});
    return { ...(await newestFirst(this.database, tenantId, page, LIST)), large };
  }

  async get({ tenantId }: Caller, { id, slug }: IdOrSlug): Promise<ContentType> {
    const type = await this.types.findOne(tenantId, id === undefined ? { slug } : { id });
    if (!type) throw Problem.notFound('content type');
    return type;
  }

  /** Throws a 409 if the sent slug is taken, and a 422 if the body is invalid or a reference names an unknown content type. */
  async create({ tenantId }: Caller, body: Checked<CreateContentTypeDto>): Promise<ContentType> {
    const { name, slug, fields, public: isPublic = null, language = null } = body.dto;
    const id = newUuid();
    const own = { id, slug: slug ?? slugify(String(name), 'content-type') };
    const { targets, errors } = await findTargets(this.database, tenantId, fields, own);
    errors.unshift(...body.errors);
    if (errors.length > 0) throw Problem.invalid(errors);
    const createdAt = timeOf(id);
    const times = { createdAt, updatedAt: createdAt };
    const type: ContentType = {
      tenantId,
      id,
      name,
      slug: own.slug,
      fields,
      retired: [],
      targets,
      public: isPublic,
      language,
      version: 1,
      ...times,
    };
    return insertWithSlug(this.database, this.types, type, { sent: slug !== undefined, table: 'content_types' });
  }

  /**
   * Changes only the properties that were sent. `fields` replaces the list, and the same transaction changes every entry to match. Throws a
   * 409 if the slug is taken or stored values violate the new fields, and a 503 if other changes of content types take too long.
   */
  async update(caller: Caller, type: IdOrSlug, body: Checked<UpdateContentTypeDto>): Promise<ContentType> {
    const { tenantId } = caller;
    const before = await this.get(caller, type);
    const typeId = before.id;
    let extent = extentOf(before, body);
    for (;;) {
      const updated = await this.changes
        .run(tenantId, typeId, extent, (transaction) => this.change(transaction, tenantId, typeId, { body, extent }))
        .catch((error: unknown) => {
          if (violatedConstraint(error) === 'content_types_slug') throw slugTaken(body.dto.slug ?? '');
          throw error;
        });
      if (updated) {
        await this.schemas.fresh(tenantId, { id: typeId });
        return updated;
      }
      // Another update changed the type after `extentOf` read it, and this one now concerns entries.
      extent = 'entries';
    }
  }

  /** Returns undefined and changes nothing if the change concerns entries but `extent` is `type`. */
  private async change(
    transaction: Transaction,
    tenantId: string,
    typeId: string,
    { body, extent }: { body: Checked<UpdateContentTypeDto>; extent: Extent },
  ): Promise<ContentType | undefined> {
    const { name, slug, fields, public: isPublic, language } = body.dto;
    const types = transaction.repository(ContentType);
    const before = await this.locked(transaction, tenantId, typeId);
    const after: ContentType = {
      ...before,
      name: name ?? before.name,
      slug: slug ?? before.slug,
      public: isPublic ?? before.public,
      language: language === undefined ? before.language : language,
      updatedAt: new Date(),
    };
    const isOther = (property: 'slug' | 'public' | 'language') => after[property] !== before[property];
    if (fields || isOther('slug') || isOther('public') || isOther('language')) after.version++;
    const { targets, errors } = await findTargets(transaction, tenantId, fields, after, before);
    errors.unshift(...body.errors);
    if (errors.length > 0) throw Problem.invalid(errors);
    if (fields) {
      after.fields = fields;
      after.targets = targets;
    }
    if (fields || isOther('language')) {
      const plan = new SchemaChangePlan(before, after, await stemmerOf(after));
      if (plan.concernsEntries && extent === 'type') return undefined;
      await transaction.disableStatementTimeout();
      after.retired = await changeSchema(transaction, after, plan);
    }
    await types.update(tenantId, { id: typeId }, after);
    return after;
  }

  /** Deletes the type and its entries in one transaction. Each entry emits `entry.deleted`. */
  async delete(caller: Caller, type: IdOrSlug): Promise<void> {
    const { tenantId } = caller;
    const typeId = type.id ?? (await this.get(caller, type)).id;
    await this.changes.run(tenantId, typeId, 'entries', async (transaction) => {
      await this.locked(transaction, tenantId, typeId);
      await transaction.disableStatementTimeout();
      await deleteEntries(transaction, tenantId, typeId);
      await transaction.repository(ContentType).delete(tenantId, { id: typeId });
    });
    this.schemas.forget(tenantId, typeId);
  }

  /** Locks the type. Waits for running writes of its entries; later writes wait for this transaction. */
  private async locked(transaction: Transaction, tenantId: string, typeId: string): Promise<ContentType> {
    const types = transaction.repository(ContentType);
    const type = await types.findOne(tenantId, { id: typeId }, 'pessimistic_write');
    if (!type) throw Problem.notFound('content type');
    await transaction.limitLockWaits(0);
    return type;
  }
}

/** Finds the types that reference fields name. */
const FIND_TARGETS = statement<{ ids: readonly string[]; slugs: readonly string[] }, { id: string; slug: string }>()(
  'content_types.targets',
  'SELECT id, slug FROM content_types WHERE tenant_id = :tenantId AND (id = ANY (:ids::uuid[]) OR slug = ANY (:slugs::text[]))',
);

/** Whether the change may have to read entries. The transaction checks this again after it has locked the type. */
function extentOf(before: ContentType, { dto, errors }: Checked<UpdateContentTypeDto>): Extent {
  const { fields = before.fields, language = before.language } = dto;
  if (errors.length > 0 || (!dto.fields && language === before.language)) return 'type';
  return new SchemaChangePlan(before, { ...before, fields, language }).concernsEntries ? 'entries' : 'type';
}

/** A content type that a reference field names, and where the request names it. */
interface NamedType {
  path: string;
  field: string;
  name: string;
  /** Known from before: the slug may have changed since, or the type may have been deleted. */
  id?: string;
}

/**
 * Maps each reference field to the content types that it names by ID or slug, and returns an error for each unknown name. Supports
 * definitions with other errors, so that all errors are reported together.
 */
async function findTargets(
  executor: Executor,
  tenantId: string,
  fields: unknown,
  own: { id: string; slug: string },
  before?: ContentType,
): Promise<{ targets: Targets; errors: ValueError[] }> {
  const definitions = Array.isArray(fields) ? (fields as unknown[]) : [];
  const named = definitions.flatMap((field, index) => namedBy(field, `fields.${index}`, before));
  const unknown = named.filter(({ id }) => id === undefined);
  const known = unknown.length > 0 ? await findTypes(executor, tenantId, unknown, own) : new Map<string, string>();

  const targets: Record<string, string | string[]> = {};
  const errors: ValueError[] = [];
  for (const { path, field, name, id = known.get(name) } of named) {
    if (id === undefined) errors.push({ path, code: 'reference', message: 'There is no such content type.' });
    else if (path.endsWith('.content_type')) targets[field] = id;
    else targets[field] = [...targetsOf(targets, field), id];
  }
  return { targets, errors };
}

/** Returns the content types that a definition of a request names. The definition may have errors. */
function namedBy(definition: unknown, path: string, before: ContentType | undefined): NamedType[] {
  const sent = (definition ?? {}) as { [Attribute in keyof FieldDefinition]?: unknown };
  if (sent.type !== 'reference') return [];
  const several = (Array.isArray(sent.content_types) ? (sent.content_types as unknown[]) : []).slice(
    0,
    MAX_CONTENT_TYPES,
  );
  const names = [
    { path: `${path}.content_type`, name: sent.content_type },
    ...several.map((name, index) => ({ path: `${path}.content_types.${index}`, name })),
  ];
  const field = String(sent.name);
  return names.flatMap(({ path: at, name }) => {
    if (typeof name !== 'string' || name === '') return [];
    return { path: at, field, name, id: before && resolvedBefore(before, field, name) };
  });
}

/** Returns the ID of a content type that the field named in the same way before. */
function resolvedBefore({ fields, targets }: ContentType, field: string, name: string): string | undefined {
  const old = fields.find((one) => one.name === field);
  const place = old ? namedTypes(old).indexOf(name) : -1;
  return targetsOf(targets, field)[place];
}

/** Finds content types by ID and slug. A type may refer to itself. If another type already has its slug, the slug means the other type. */
async function findTypes(
  executor: Executor,
  tenantId: string,
  named: readonly NamedType[],
  own: { id: string; slug: string },
): Promise<Map<string, string>> {
  const ids = named.flatMap(({ name }) => parseId('ct', name) ?? []);
  const types = await executor.query(tenantId, FIND_TARGETS, { ids, slugs: named.map(({ name }) => name) });
  return new Map([own, ...types].flatMap(({ id, slug }) => [[slug, id] as const, [formatId('ct', id), id] as const]));
}
