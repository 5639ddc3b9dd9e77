import { Injectable } from '@nestjs/common';
import { InjectEntityManager } from '@nestjs/typeorm';
import { EntityManager } from 'typeorm';
import type { Caller } from '../access/caller.js';
import { Database, type Transaction } from '../database/database.js';
import { TenantRepository } from '../database/tenant-repository.js';
import { violatedConstraint } from '../errors/database-problem.js';
import { Problem, type ValueError } from '../errors/problem.js';
import { EventRecorder } from '../events/event-recorder.js';
import type { FieldDefinition } from '../fields/field-definition.js';
import type { Checked } from '../http/checked-body.js';
import { slugify } from '../ids/slug.js';
import { insertWithSlug, slugTaken } from '../ids/slugged.js';
import { newUuid, parseId, timeOf } from '../ids/type-id.js';
import { type ListMeta, newestFirst } from '../lists/newest-first.js';
import type { Page } from '../lists/page.js';
import { ContentType } from './content-type.entity.js';
import type { CreateContentTypeDto, UpdateContentTypeDto } from './content-types.dto.js';
import { deleteEntries } from './entries/entries-deletion.js';
import { restateEntries } from './restatement.js';
import { Schemas } from './schemas.js';

@Injectable()
export class ContentTypesService {
  private readonly types: TenantRepository<ContentType>;

  constructor(
    @InjectEntityManager() manager: EntityManager,
    private readonly database: Database,
    private readonly schemas: Schemas,
    private readonly events: EventRecorder,
  ) {
    this.types = new TenantRepository(manager, ContentType);
  }

  async list({ tenantId }: Caller, page: Page): Promise<{ rows: ContentType[]; meta: ListMeta }> {
    return newestFirst(this.types, tenantId, page, 'content types');
  }

  async get({ tenantId }: Caller, typeId: string): Promise<ContentType> {
    const type = await this.types.findOne(tenantId, { id: typeId });
    if (!type) throw Problem.notFound('content type');
    return type;
  }

  /** 409 when the slug was sent and is taken; 422 when a reference names no content type. */
  async create({ tenantId }: Caller, body: Checked<CreateContentTypeDto>): Promise<ContentType> {
    const { name, slug, fields } = body.dto;
    const id = newUuid();
    const own = { id, slug: slug ?? slugify(String(name), 'content-type') };
    const { targets, errors } = await findTargets(this.types, tenantId, fields, own);
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
      version: 1,
      ...times,
    };
    return insertWithSlug(this.types, type, { sent: slug !== undefined, constraint: 'content_types_slug' });
  }

  /**
   * Only what is sent changes; `fields` replaces the list, and every entry is restated under it in the same transaction. 409 when the
   * slug is taken, or when stored values are in the way.
   */
  async update({ tenantId }: Caller, typeId: string, body: Checked<UpdateContentTypeDto>): Promise<ContentType> {
    const changes = body.dto;
    const updated = await this.database
      .transaction(async (transaction) => {
        const types = new TenantRepository(transaction.manager, ContentType);
        const before = await this.locked(transaction, tenantId, typeId);
        const after: ContentType = {
          ...before,
          name: changes.name ?? before.name,
          slug: changes.slug ?? before.slug,
          updatedAt: new Date(),
        };
        const { targets: newTargets, errors } = await findTargets(types, tenantId, changes.fields, after, before);
        errors.unshift(...body.errors);
        if (errors.length > 0) throw Problem.invalid(errors);
        if (changes.fields) {
          after.fields = changes.fields;
          after.targets = newTargets;
          after.version = before.version + 1;
          await transaction.takeYourTime();
          after.retired = await restateEntries(transaction, before, after);
        }
        const { name, slug, fields, retired, targets, version, updatedAt } = after;
        await types.update(tenantId, { id: typeId }, { name, slug, fields, retired, targets, version, updatedAt });
        return after;
      })
      .catch((error: unknown) => {
        if (violatedConstraint(error) === 'content_types_slug') throw slugTaken(changes.slug ?? '');
        throw error;
      });
    await this.schemas.fresh(tenantId, typeId);
    return updated;
  }

  /** Deletes its entries in the same transaction; each emits `entry.deleted`. */
  async delete({ tenantId }: Caller, typeId: string): Promise<void> {
    await this.database.transaction(async (transaction) => {
      await this.locked(transaction, tenantId, typeId);
      await transaction.takeYourTime();
      await deleteEntries(transaction, this.events, tenantId, typeId);
      await new TenantRepository(transaction.manager, ContentType).delete(tenantId, { id: typeId });
    });
    this.schemas.forget(tenantId, typeId);
    this.events.committed(tenantId);
  }

  /** Waits for the writes of entries that are under way; those that come later wait for this transaction. */
  private async locked(transaction: Transaction, tenantId: string, typeId: string): Promise<ContentType> {
    const types = new TenantRepository(transaction.manager, ContentType);
    const type = await types.findOne(tenantId, { id: typeId }, 'pessimistic_write');
    if (!type) throw Problem.notFound('content type');
    return type;
  }
}

/**
 * Of each reference field the content type that it names by id or slug, and the errors of those that name none. The definitions may have
 * faults that are known already: those of others are found all the same.
 */
async function findTargets(
  types: TenantRepository<ContentType>,
  tenantId: string,
  fields: unknown,
  own: { id: string; slug: string },
  before?: ContentType,
): Promise<{ targets: Record<string, string>; errors: ValueError[] }> {
  const targets: Record<string, string> = {};
  const errors: ValueError[] = [];
  for (const [index, field] of (Array.isArray(fields) ? (fields as unknown[]) : []).entries()) {
    const { name, type, content_type: named } = (field ?? {}) as { [Attribute in keyof FieldDefinition]?: unknown };
    if (type !== 'reference' || typeof named !== 'string' || named === '') continue;
    // What was resolved stays: the slug may have changed since, or the type be gone.
    const kept = before?.fields.some((old) => old.name === name && old.content_type === named);
    if (kept && before?.targets[String(name)] !== undefined) {
      targets[String(name)] = before.targets[String(name)] ?? '';
      continue;
    }
    const id = parseId('ct', named);
    const other = await types.findOne(tenantId, id === undefined ? { slug: named } : { id });
    // A type may name itself, by a slug that nobody else has.
    const found = other ?? (named === own.slug || id === own.id ? own : undefined);
    if (found) targets[String(name)] = found.id;
    else
      errors.push({
        path: `fields.${index}.content_type`,
        code: 'reference',
        message: 'There is no such content type.',
      });
  }
  return { targets, errors };
}
