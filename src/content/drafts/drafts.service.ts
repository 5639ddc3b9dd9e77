import { Injectable } from '@nestjs/common';
import { assertMayRead, comparable } from '../../access/may-read.js';
import { isHeavy } from '../../admission/heavy-work.js';
import { auditOf } from '../../audit/record-changes.js';
import { Database } from '../../database/database.js';
import type { Steps } from '../../admission/steps.js';
import { Problem, type ValueError } from '../../errors/problem.js';
import { parseSteps } from '../../json/parse-steps.js';
import type { Author, Caller } from '../../http/caller.js';
import type { Checked } from '../../http/dto.pipe.js';
import { changedReadOnlyOf } from '../../http/read-only.js';
import type { IdOrSlug } from '../../ids/id-or-slug.js';
import type { EntryOfType } from '../entries/entries.sql.js';
import { PUBLISH_DRAFT, writeEntry } from '../entries/entry-writes.sql.js';
import {
  assertSize,
  type Commit,
  EntryChanges,
  entryResource,
  oncePerSchema,
  PUBLISHED,
  run,
  type Write,
} from '../entries/entry-changes.js';
import { keptFaults, type Values } from '../entries/entry-writes.js';
import type { VersionAction } from '../history/entry-version.js';
import type { CompiledType } from '../schemas.js';
import { assertDraftPermitted, type DraftPrecondition } from './draft-etag.js';
import { type Draft, readOnlyDraft } from './draft-presenter.js';
import { conflictsOf, type OwnValues, ownSteps, savedSteps, shownSteps, type StoredDraft } from './draft-values.js';
import type { SaveDraftDto } from './drafts.dto.js';
import { DraftedEntries } from './drafted-entries.js';
import { DISCARD_DRAFT, type DraftedEntry, GET_WITH_DRAFT, SAVE_DRAFT } from './drafts.sql.js';

interface Publication {
  precondition: DraftPrecondition;
  /** Publish even if fields of the draft were changed on the live entry. */
  force: boolean;
  /** As the history shows it; the default is `published`. */
  action?: VersionAction;
}

/** An entry that has a draft. */
type WithDraft = DraftedEntry & StoredDraft & { baseVersion: number; draftCreatedAt: string; draftUpdatedAt: string };

/** Drafts: field values that are saved beside the live values of an entry. Each change is one statement, as changes of entries are. */
@Injectable()
export class DraftsService {
  constructor(
    private readonly database: Database,
    private readonly entries: DraftedEntries,
    private readonly changes: EntryChanges,
  ) {}

  /** Throws a 404 if there is no draft. */
  async get({ tenantId }: Caller, typeName: IdOrSlug, entryId: string): Promise<Draft> {
    return this.entries.show({ tenantId, typeName, entryId }, async (row, type) => {
      if (!hasDraft(row)) throw noDraft();
      return shownDraft(tenantId, type, row);
    });
  }

  /**
   * Adds values to the draft, or makes a draft of them. Without values, returns the draft as it is, or throws a 403 if the caller may not read
   * it. Throws a 412 if the precondition fails, and a 422 that lists every wrong value.
   */
  async save(
    caller: Caller,
    typeName: IdOrSlug,
    entryId: string,
    body: Checked<SaveDraftDto>,
    precondition: DraftPrecondition,
  ): Promise<Draft> {
    const { tenantId } = caller;
    const { fields = {} } = body.dto;
    const isEmpty = body.errors.length === 0 && isEmptyObject(fields);
    const check = oncePerSchema((type) => this.changes.checkPatch(tenantId, type, fields, body.isHeavy));
    const name = { tenantId, typeName, entryId };
    return this.changes.inTurn(name, async (current) => {
      const { before, type } = await this.changes.read(name, current, GET_WITH_DRAFT);
      const draft = hasDraft(before) ? before : undefined;
      // It only reads.
      if (isEmpty) assertMayRead(caller, { area: 'content', typeId: type.id });
      if (isEmpty && !draft) throw noDraft();
      assertDraftPermitted(precondition, draft?.number);
      const shown = draft && (() => shownDraft(tenantId, type, draft));
      const readOnly = await changedReadOnlyOf(body.dto, async () => {
        const stored = shown && readOnlyDraft(await shown());
        return stored ? comparable(caller, { area: 'content', typeId: type.id }, () => stored) : {};
      });
      if (isEmpty && shown && readOnly.length === 0) return shown();

      const { set, removed, errors, doubtful } = await check(type);
      const kept = await keptOf(tenantId, type, before, { set, removed });
      const write = { tenantId, typeName, type, isHeavy: body.isHeavy || isHeavyEntry(before) };
      const uniques = await run(write, type.schema.uniquesSteps(set));
      const written = { id: entryId, uniques, values: { ...set, ...doubtful } };
      await this.changes.assertValid(write, [...body.errors, ...readOnly, ...errors, ...kept], written);
      return this.store(caller, write, before, draft, { set, removed });
    });
  }

  /** Makes a draft of the values that `fieldsOf` returns, in place of the draft that there may be. Otherwise like `save`. */
  async replace(
    caller: Caller,
    typeName: IdOrSlug,
    entryId: string,
    fieldsOf: (type: CompiledType, before: DraftedEntry) => Promise<{ fields: Values; isHeavy: boolean }>,
    precondition: DraftPrecondition,
  ): Promise<Draft> {
    const { tenantId } = caller;
    const name = { tenantId, typeName, entryId };
    return this.changes.inTurn(name, async (current) => {
      const { before, type } = await this.changes.read(name, current, GET_WITH_DRAFT);
      assertDraftPermitted(precondition, hasDraft(before) ? before.number : undefined);
      const { fields, isHeavy: heavy } = await fieldsOf(type, before);
      const { set, removed, errors, doubtful } = await this.changes.checkPatch(tenantId, type, fields, heavy);
      const kept = await keptOf(tenantId, type, before, { set, removed });
      const write = { tenantId, typeName, type, isHeavy: heavy || isHeavyEntry(before) };
      const uniques = await run(write, type.schema.uniquesSteps(set));
      await this.changes.assertValid(write, [...errors, ...kept], {
        id: entryId,
        uniques,
        values: { ...set, ...doubtful },
      });
      return this.store(caller, write, before, undefined, { set, removed });
    });
  }

  /** Removes the draft. Throws a 404 if the entry has no draft. */
  async discard(caller: Caller, typeName: IdOrSlug, entryId: string, precondition: DraftPrecondition): Promise<void> {
    const { tenantId } = caller;
    const name = { tenantId, typeName, entryId };
    await this.changes.inTurn(name, async (current) => {
      const { before, type } = await this.changes.read(name, current, GET_WITH_DRAFT);
      if (!hasDraft(before)) throw noDraft();
      const { number } = before;
      assertDraftPermitted(precondition, number);
      const discarded = await this.database.query(tenantId, DISCARD_DRAFT, {
        typeId: type.id,
        entryId,
        number,
        audit: auditOf(caller, { action: 'draft_discarded', resource: entryResource(entryId) }),
      });
      return discarded.length > 0 ? true : undefined;
    });
  }

  /**
   * Makes the draft's own values live, publishes the entry and removes the draft, in one commit. `commit` may add statements to it. Throws a
   * 404 if there is no draft, a 409 if its fields were changed on the live entry, and a 422 if the entry would not match its schema.
   */
  async publish(
    by: Author & Pick<Caller, 'tenantId'>,
    typeName: IdOrSlug,
    entryId: string,
    { precondition, force, action = 'published' }: Publication,
    commit: Commit = (write) => write(this.database),
  ): Promise<EntryOfType> {
    const { tenantId } = by;
    const name = { tenantId, typeName, entryId };
    return this.changes.inTurn(name, async (current) => {
      const { before, type } = await this.changes.read(name, current, GET_WITH_DRAFT);
      if (!hasDraft(before)) throw noDraft();
      assertDraftPermitted(precondition, before.number);
      const write = { tenantId, typeName, type, isHeavy: isHeavyEntry(before) };
      const own = await run(write, ownSteps(type.schema, before));
      if (!force) await assertNoConflicts(write, before, own);
      // The type may have changed since the values were saved.
      const patch = await this.changes.checkPatch(tenantId, type, valuesOf(own), write.isHeavy);
      const update = { patch, status: 'published', events: PUBLISHED, action, by } as const;
      return this.changes.update(write, before, update, (row) =>
        commit((executor) => writeEntry(executor, tenantId, PUBLISH_DRAFT, { ...row, draftNumber: before.number })),
      );
    });
  }

  /** Stores the patch on top of the `earlier` draft, if there is one to keep. Returns undefined if a concurrent change won. */
  private async store(
    caller: Caller,
    write: Write,
    before: DraftedEntry,
    earlier: WithDraft | undefined,
    patch: { set: Values; removed: readonly string[] },
  ): Promise<Draft | undefined> {
    const { tenantId, type } = write;
    const { draft, bases, shown } = await run(write, savedSteps(type.schema, before.fields, earlier, patch));
    assertSize('', draft);
    assertSize(before.fields, shown.fields);
    const at = new Date().toISOString();
    const { baseVersion, draftCreatedAt: createdAt } = earlier ?? { baseVersion: before.version, draftCreatedAt: at };
    const [saved] = await this.database.query(tenantId, SAVE_DRAFT, {
      typeId: type.id,
      typeVersion: type.version,
      entryId: before.id,
      number: before.number,
      isDraft: hasDraft(before),
      draft,
      bases,
      baseVersion,
      createdAt,
      at,
      audit: auditOf(caller, {
        action: 'draft_saved',
        resource: entryResource(before.id),
        changes: [...Object.keys(patch.set), ...patch.removed],
      }),
    });
    const { number } = saved ?? {};
    if (number === undefined) return undefined;
    return { id: before.id, typeId: type.id, ...shown, number, baseVersion, createdAt, updatedAt: at };
  }
}

function noDraft(): Problem {
  return Problem.notFound('draft');
}

function hasDraft(row: DraftedEntry): row is WithDraft {
  return row.draft !== null;
}

async function shownDraft(tenantId: string, type: CompiledType, row: WithDraft): Promise<Draft> {
  const { id, number, baseVersion, draftCreatedAt: createdAt, draftUpdatedAt: updatedAt } = row;
  const shown = await run({ tenantId, isHeavy: isHeavyEntry(row) }, shownSteps(type.schema, row.fields, row));
  return { id, typeId: type.id, ...shown, number, baseVersion, createdAt, updatedAt };
}

/** The errors of values that must be kept as the live entry has them. Most content types have no such field. */
async function keptOf(
  tenantId: string,
  { schema }: CompiledType,
  before: DraftedEntry,
  patch: { set: Values; removed: readonly string[] },
): Promise<ValueError[]> {
  if (!schema.fields.some(({ isKept }) => isKept)) return [];
  const steps = function* (): Steps<ValueError[]> {
    return yield* keptFaults(schema, (yield* parseSteps(before.fields)) as Values, patch);
  };
  return run({ tenantId, isHeavy: isHeavyEntry(before) }, steps());
}

function isHeavyEntry({ fields, draft }: DraftedEntry): boolean {
  return isHeavy(fields.length + (draft?.length ?? 0));
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
}

/** The own values as a patch has them: null removes a value. */
function valuesOf({ names, set }: OwnValues): Values {
  return Object.fromEntries(names.map((name) => [name, Object.hasOwn(set, name) ? set[name] : null]));
}

/** Throws a 409 that names each own field of the draft that was changed on the live entry. */
async function assertNoConflicts(write: Write, { fields }: DraftedEntry, own: OwnValues): Promise<void> {
  const names = await run(write, conflictsOf(fields, own));
  if (names.length === 0) return;
  const errors = names.map((name) => ({
    path: `fields.${name}`,
    code: 'conflict',
    message: `${name} was changed on the live entry after it was saved in the draft.`,
  }));
  const subject = names.length === 1 ? '1 field of the draft was' : `${names.length} fields of the draft were`;
  const detail = `${subject} changed on the live entry. Nothing was published. Send force=true to publish the draft anyway.`;
  throw new Problem('conflict', detail, errors);
}
