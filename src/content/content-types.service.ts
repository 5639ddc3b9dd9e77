import { Injectable } from '@nestjs/common';
import type { Author, Caller } from '../http/caller.js';
import { Database } from '../database/database.js';
import type { Executor, Transaction } from '../database/transaction.js';
import type { TenantRepository } from '../database/tenant-repository.js';
import { currentUnitOfWork } from '../database/unit-of-work.js';
import { violatedConstraint } from '../errors/database-problem.js';
import { Problem } from '../errors/problem.js';
import type { CheckedBody } from '../http/bodies/dto.pipe.js';
import type { IdOrSlug } from '../ids/id-or-slug.js';
import { missingSlug } from '../ids/missing-slug.js';
import { slugify } from '../ids/slug.js';
import { insertWithSlug, slugTaken } from '../ids/slugged.js';
import { newUuid, timeOf } from '../ids/type-id.js';
import { type LargeRecords, largeRecords, type LargeRow, largeStatements } from '../lists/large-json.js';
import { hasId } from '../lists/conditions/column-condition.js';
import { newestFirst, newestFirstList } from '../lists/newest-first.js';
import type { ListMeta, Page } from '../lists/page.js';
import { FileUrls } from '../tenants/file-urls.js';
import { Limits } from '../tenants/limits.js';
import { ContentTypeEvents } from './content-type-events.js';
import type { ContentTypeRow } from './content-type-presenter.js';
import { ContentType } from './content-type.entity.js';
import { CONTENT_TYPES } from './content-usage.js';
import { assertNotLimited } from './locales/locale-rights.js';
import { wrongRequiredIn } from './locales/type-locales.js';
import { heldLocalesOf } from './locales/tenant-locales.js';
import { type CreateContentTypeDto, UpdateContentTypeDto } from './content-types.dto.js';
import { SchemaChanges } from './schema-changes/online/schema-changes.service.js';
import type { ChangeRow } from './schema-changes/online/schema-changes.sql.js';
import { assertPermitted, type Precondition } from '../http/responses/etag.js';
import { deleteEntries } from './entries/writes/entries-deletion.js';
import { REMOVE_DOCUMENTS_OF_TYPE } from './words/locale-words.sql.js';
import { findTargets, hiddenTargets } from './reference-targets.js';
import { ReferentialActions, type ReferringTypes } from './references/referential-actions.js';
import { typesWithOnDelete, markTypes, unmarkedTypes, UnmarkedTypesError } from './references/types-with-on-delete.js';
import { changeSchema, tallyChange } from './schema-changes/schema-change.js';
import { extentOf, localesFor, type MadeTogether, redefine, wrongDefinition } from './redefined-type.js';
import { type PlanStep, planSteps } from './schema-changes/schema-plan.js';
import { CONTENT_TYPE_SLUGS, Schemas } from './schemas.js';
import { StaleReadError } from './stale-read.js';
import { type Extent, SchemaChangeQueue } from './schema-changes/schema-change-queue.js';

const COLUMNS = 'id, name, slug, created_at AS "createdAt"';
const LIST = newestFirstList({
  name: 'content types',
  table: 'content_types',
  columns: { name: 'name', slug: 'slug', createdAt: 'created_at' },
  json: 'fields',
});
const LARGE_TYPES = largeStatements<ContentTypeRow>({ table: 'content_types', columns: COLUMNS, json: 'fields' });

/** The updated type, or the change of it that is in progress. */
type ContentTypeUpdate = { type: ContentType } | { change: ChangeRow };
/** A deletion fails if content types that refer to the type change this many times while it begins. */
const MAX_TRIES = 5;

@Injectable()
export class ContentTypesService {
  private readonly types: TenantRepository<ContentType>;

  constructor(
    private readonly database: Database,
    private readonly schemas: Schemas,
    private readonly changes: SchemaChangeQueue,
    private readonly schemaChanges: SchemaChanges,
    private readonly guardedDeletions: ReferentialActions,
    private readonly typeEvents: ContentTypeEvents,
    private readonly limits: Limits,
    private readonly urls: FileUrls,
  ) {
    this.types = database.repository(ContentType);
  }

  async list(
    caller: Caller,
    page: Page,
  ): Promise<{ rows: (ContentTypeRow | LargeRow)[]; meta: ListMeta; large: LargeRecords<ContentTypeRow> }> {
    const { tenantId } = caller;
    const large = largeRecords(this.database, tenantId, LARGE_TYPES, {});
    // A key may be limited to content types.
    const readable = caller.types ? [hasId([...caller.types])] : [];
    const list = await newestFirst<ContentTypeRow | LargeRow>(this.database, tenantId, page, LIST, readable);
    return { ...list, large };
  }

  async get({ tenantId }: Caller, name: IdOrSlug): Promise<ContentType> {
    const { id, slug } = name;
    const type = await this.types.findOne(tenantId, id === undefined ? { slug } : { id });
    if (!type) throw await missingSlug(this.database, tenantId, CONTENT_TYPE_SLUGS, name);
    return type;
  }

  /**
   * Throws a 409 if the sent slug is taken, a 422 if the body is invalid or a reference names an unknown content type, and a 403 if the
   * tenant's limit is reached.
   */
  async create(
    caller: Caller,
    body: CheckedBody<CreateContentTypeDto>,
    id = newUuid(),
    together: MadeTogether = {},
  ): Promise<ContentType> {
    const type = await this.newType(caller, body, id, together);
    await this.guardTargets(type);
    return insertWithSlug(this.database, this.types, type, {
      sent: body.dto.slug !== undefined,
      table: 'content_types',
      insert: (one) => this.insert(caller, one),
    });
  }

  /** What a creation would insert. Changes nothing. Throws a 422 if the body is invalid. */
  async newType(
    { tenantId }: Caller,
    body: CheckedBody<CreateContentTypeDto>,
    id: string,
    together: MadeTogether = {},
  ): Promise<ContentType> {
    const { name, slug, fields, public: isPublic = null, language = null, preview_url: previewUrl = null } = body.dto;
    const own = { id, slug: slug ?? slugify(String(name), 'content-type') };
    const { targets, errors } = await findTargets(this.database, tenantId, fields, own, { together: together.types });
    errors.unshift(...body.errors, ...wrongDefinition(previewUrl, fields));
    if (errors.length > 0) throw Problem.invalid(errors);
    const createdAt = timeOf(id);
    const times = { createdAt, updatedAt: createdAt };
    const locales = await localesFor(this.database, tenantId, fields, together);
    errors.push(...wrongRequiredIn(fields, locales));
    if (errors.length > 0) throw Problem.invalid(errors);
    return {
      tenantId,
      id,
      name,
      slug: own.slug,
      fields,
      retired: [],
      targets,
      public: isPublic,
      language,
      previewUrl,
      guarded: typesWithOnDelete(fields, targets).includes(id) ? true : null,
      version: 1,
      indexNames: null,
      locales,
      changeId: null,
      revision: 1,
      ...times,
    };
  }

  /** Marks the existing content types that fields of the type with `on_delete` name. */
  async guardTargets({ tenantId, id, fields, targets }: ContentType): Promise<void> {
    const others = typesWithOnDelete(fields, targets).filter((one) => one !== id);
    await markTypes(this.changes, tenantId, await unmarkedTypes(this.database, tenantId, others));
  }

  /** All content types, in the order of their slugs. */
  async all({ tenantId }: Caller): Promise<ContentType[]> {
    return this.types.find(tenantId, {}, { order: { slug: 'ASC' } });
  }

  private async insert(by: Author, type: ContentType): Promise<void> {
    await this.limits.within({ tenantId: type.tenantId, resource: CONTENT_TYPES, amount: 1 }, async (transaction) => {
      // They are held now, so that a change of them that follows finds the type.
      if (type.locales) type.locales = await heldLocalesOf(transaction, type.tenantId, { isChange: false });
      await transaction.repository(ContentType).insert(type);
      await this.typeEvents.record(transaction, by, 'created', type);
    });
  }

  /**
   * Changes only the properties that were sent. `fields` replaces the list, and every entry is changed to match: in the same transaction if
   * the type is small, otherwise by a worker, for which this waits. If it is `isAsync`, or takes too long, returns the change in progress.
   * Throws a 403 if the fields change and the caller is limited to locales, a 409 if the slug is taken, stored values violate the new fields or
   * another change is in progress, a 412 if the precondition fails, and a 503 if other changes of content types take too long.
   */
  async update(
    caller: Caller,
    type: IdOrSlug,
    body: CheckedBody<UpdateContentTypeDto>,
    precondition: Precondition,
    isAsync: boolean,
    together: MadeTogether = {},
  ): Promise<ContentTypeUpdate> {
    const { tenantId } = caller;
    const before = await this.get(caller, type);
    assertMayRename(caller, before, body.dto.slug);
    body.errors.push(...(await hiddenTargets(this.database, caller, before, body.dto.fields)));
    const typeId = before.id;
    let extent = extentOf(before, body);
    for (;;) {
      const request = { body, precondition, extent, isAsync, together };
      const updated = await this.changes
        .run(tenantId, typeId, extent, (transaction) => this.change(transaction, caller, typeId, request))
        .catch((error: unknown) => {
          if (violatedConstraint(error) === 'content_types_slug') throw slugTaken(body.dto.slug ?? '');
          if (error instanceof UnmarkedTypesError) return error;
          throw error;
        });
      if (updated instanceof UnmarkedTypesError) {
        await markTypes(this.changes, tenantId, updated.ids);
        continue;
      }
      if (updated && 'change' in updated) {
        // A request whose answer commits with the change cannot wait for workers, which do not see it before.
        const cannotWait = isAsync || currentUnitOfWork(tenantId) !== undefined;
        return cannotWait ? updated : this.waitFor(caller, typeId, updated);
      }
      if (updated) {
        await this.schemas.fresh(tenantId, { id: typeId });
        return updated;
      }
      // Another update changed the type after `extentOf` read it, and this one now concerns entries.
      extent = 'entries';
    }
  }

  /** Changes the entries of a type with localized fields after the locales of the tenant. Waits for another change of the type. */
  async followLocales(caller: Caller, typeId: string): Promise<void> {
    const type = await this.get(caller, { id: typeId });
    const { changeId } = type;
    // The other change may need what this unit of work holds.
    if (currentUnitOfWork(caller.tenantId)) assertUnchanging(type);
    else if (changeId !== null) await this.schemaChanges.ended(caller.tenantId, changeId);
    await this.update(caller, { id: typeId }, nothingSent(caller), undefined, false);
  }

  /** The same, without waiting: a worker carries out the change. Throws a 409 if another one is in progress. */
  async beginToFollowLocales(caller: Caller, typeId: string): Promise<void> {
    await this.update(caller, { id: typeId }, nothingSent(caller), undefined, true);
  }

  private async waitFor(caller: Caller, typeId: string, started: { change: ChangeRow }): Promise<ContentTypeUpdate> {
    if (!(await this.schemaChanges.ended(caller.tenantId, started.change.id))) return started;
    await this.schemas.fresh(caller.tenantId, { id: typeId });
    return { type: await this.get(caller, { id: typeId }) };
  }

  /**
   * What the same update would do, by the code that carries it out. Changes and locks nothing. Throws what the update would throw, except
   * for stored values that are in the way: these are counted in the plan.
   */
  async plan(
    caller: Caller,
    type: IdOrSlug,
    body: CheckedBody<UpdateContentTypeDto>,
    precondition: Precondition,
    together: MadeTogether = {},
  ): Promise<{ typeId: string; fromVersion: number; steps: PlanStep[] }> {
    const { tenantId } = caller;
    const before = await this.get(caller, type);
    assertMayRename(caller, before, body.dto.slug);
    body.errors.push(...(await hiddenTargets(this.database, caller, before, body.dto.fields)));
    assertPermitted(precondition, before.revision, 'content type');
    const { after, plan } = await redefine(this.database, before, body, { together });
    if (plan) assertMayRedefine(caller);
    const { slug } = body.dto;
    if (slug !== undefined && slug !== before.slug && (await this.types.findOne(tenantId, { slug })))
      throw slugTaken(slug);
    const of = { typeId: before.id, fromVersion: before.revision };
    if (!plan) return { ...of, steps: [] };
    const tally = await this.changes.simulate(tenantId, before.id, (transaction) =>
      tallyChange(transaction, after, plan),
    );
    return { ...of, steps: planSteps(plan, tally) };
  }

  /**
   * Returns undefined and changes nothing if the change concerns entries but `extent` is `type`. Throws an `UnmarkedTypesError` if fields with
   * `on_delete` name types that must be marked before.
   */
  private async change(
    transaction: Transaction,
    by: Caller,
    typeId: string,
    {
      body,
      precondition,
      extent,
      isAsync,
      together,
    }: {
      body: CheckedBody<UpdateContentTypeDto>;
      precondition: Precondition;
      extent: Extent;
      isAsync: boolean;
      together: MadeTogether;
    },
  ): Promise<ContentTypeUpdate | undefined> {
    const { tenantId, actorId, name, requestId, ip } = by;
    const types = transaction.repository(ContentType);
    const before = await this.locked(transaction, tenantId, typeId);
    assertPermitted(precondition, before.revision, 'content type');
    const { after, plan } = await redefine(transaction, before, body, { together, isHeld: true });
    assertUnchanging(before);
    if (plan) {
      assertMayRedefine(by);
      await assertMarked(transaction, after);
      if (plan.concernsEntries && extent === 'type') return undefined;
      if (isAsync || (plan.concernsEntries && (await this.schemaChanges.isLarge(transaction, before)))) {
        // The type may get one more version meanwhile, if it is marked as guarded.
        after.version++;
        const renames: [string, string][] = [...plan.renames];
        const author = { actorId, name, requestId, ip };
        const { keepsValues } = together;
        const id = await this.schemaChanges.begin(transaction, { before, after, renames, keepsValues, by: author });
        return { change: { id, typeId, state: 'running', processed: 0, total: 0, problem: null } };
      }
      await transaction.extendStatementTimeout();
      plan.keepsValues = together.keepsValues === true;
      if (plan.changesMedia) plan.isFileBase = await this.urls.knownBy(transaction, tenantId);
      after.retired = await changeSchema(transaction, after, plan);
      after.indexNames = plan.indexNames;
    }
    await types.update(tenantId, { id: typeId }, after);
    await this.typeEvents.record(transaction, by, 'updated', after, before);
    return { type: after };
  }

  /**
   * Deletes the type and its entries in one transaction. Each entry emits `entry.deleted`. Throws a 403 if the caller is limited to locales, a 412 if
   * the precondition fails, and a 409 if references with `on_delete` refuse the deletion of an entry.
   */
  async delete(
    caller: Caller,
    type: IdOrSlug,
    precondition: Precondition,
    { keepsValues = false }: MadeTogether = {},
  ): Promise<void> {
    const { tenantId } = caller;
    assertNotLimited(caller, 'cannot delete content types');
    const typeId = type.id ?? (await this.get(caller, type)).id;
    let referring: ReferringTypes = new Map();
    for (let tries = 1; ; tries++) {
      try {
        await this.changes.run(tenantId, typeId, 'entries', async (transaction) => {
          const locked = await this.locked(transaction, tenantId, typeId);
          assertPermitted(precondition, locked.revision, 'content type');
          if (keepsValues) await this.schemaChanges.assertEmpty(transaction, locked);
          await transaction.extendStatementTimeout();
          if (locked.guarded) await this.guardedDeletions.beforeTypeDeletion(transaction, caller, typeId, referring);
          await deleteEntries(transaction, caller, typeId);
          if (locked.locales) await transaction.query(tenantId, REMOVE_DOCUMENTS_OF_TYPE, { typeId });
          await transaction.repository(ContentType).delete(tenantId, { id: typeId });
          await this.typeEvents.record(transaction, caller, 'deleted', locked);
        });
        break;
      } catch (error) {
        if (!(error instanceof StaleReadError)) throw error;
        if (tries === MAX_TRIES) throw Problem.unavailable('Content types that refer to this one changed repeatedly.');
        referring = await this.guardedDeletions.prepare(tenantId, typeId);
      }
    }
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

/** Throws an `UnmarkedTypesError` if fields with `on_delete` name types that must be marked before. */
async function assertMarked(executor: Executor, { tenantId, id, fields, targets }: ContentType): Promise<void> {
  const others = typesWithOnDelete(fields, targets).filter((one) => one !== id);
  const unmarked = await unmarkedTypes(executor, tenantId, others);
  if (unmarked.length > 0) throw new UnmarkedTypesError(unmarked);
}

/** Entries are changed to match the fields, in every locale. */
function assertMayRedefine(caller: Caller): void {
  assertNotLimited(caller, 'cannot change the fields of a content type');
}

function assertUnchanging({ changeId }: ContentType): void {
  if (changeId === null) return;
  throw new Problem('conflict', 'Another change of the content type is in progress. Try again when it has finished.');
}

/** The body of an update that changes nothing by itself. */
function nothingSent({ tenantId }: Caller): CheckedBody<UpdateContentTypeDto> {
  return { dto: new UpdateContentTypeDto(), errors: [], queueKey: tenantId, isHeavy: false };
}

/** A caller that is limited to content types would learn the slugs of others, because they are refused as taken. Throws a 403. */
function assertMayRename({ types }: Caller, before: Pick<ContentType, 'slug'>, slug: string | undefined): void {
  if (!types || slug === undefined || slug === before.slug) return;
  throw new Problem('forbidden', 'An API key that is limited to content types cannot change their slugs.');
}
