import type { SlicedWork } from '../../admission/sliced-work.js';
import { Problem, type ValueError } from '../../errors/problem.js';
import { assertPermitted } from '../../http/responses/etag.js';
import type { Author } from '../../http/caller.js';
import { differing } from '../../http/bodies/read-only.js';
import { formatId, parseId } from '../../ids/type-id.js';
import { parseSliced } from '../../json/parse-sliced.js';
import { isSameSliced } from '../../json/is-same-sliced.js';
import { targetsOf } from '../content-type.entity.js';
import type { EntryForWrite, EntryOfType } from '../entries/entries.sql.js';
import { readOnlyProperties } from '../entries/entry-presenter.js';
import { MAX_ERRORS } from '../entries/writes/entry-validation.js';
import { type CheckedValues, type CheckMode, NO_VALUES, type EntryFields } from '../entries/writes/entry-values.js';
import {
  creationOf,
  deletionOf,
  type EntryWrite,
  keeping,
  transitionOf,
  updateOf,
} from '../entries/writes/entry-write.js';
import { applyPatch } from '../entries/writes/patch.js';
import type { SoughtEntry } from '../entries/writes/reference-look-ups.js';
import { shorten } from '../../fields/formats/text.js';
import { codesOf, type LocaleSettings } from '../../fields/localized/locale-settings.js';
import { listed } from '../../validation/suggestion.js';
import { ALL_LOCALES } from '../locales/locale-request.js';
import { assertMayCreateInLocales, assertMayUpdateInLocales, assertNotLimited } from '../locales/locale-rights.js';
import { sentErrors, sentValues } from '../locales/sent-in-locale.js';
import { without } from '../references/cleared-references.js';
import { assertMayChangeEntry, clearsLive, type EntryChange, mayChangeLive, type LiveRights } from '../live-changes.js';
import type { ReferringTypes } from '../references/referential-actions.js';
import type { CompiledType } from '../schemas.js';
import { StaleReadError } from '../stale-read.js';
import type { BatchChecks } from './batch-checks.js';
import { type BatchLookups, UNKNOWN, type Unknown } from './batch-lookups.js';
import { BatchReferrers, type ReferredDeletion } from './batch-referrers.js';
import { type Ref, substituteRefs } from './batch-refs.js';
import { BatchStates, type EntryState, UNKNOWN_ID } from './batch-states.js';
import { type Failure, type BulkOperation, type Outcome, timesOf } from './operation.js';
import { isKeyEmpty, keyNames } from './upsert-key.js';
import type { ValueErrorCode } from '../../errors/value-errors.js';

/** The rows that a batch writes have at most about this many characters together. */
const MAX_DERIVED = 64 * 1024 * 1024;
/** Characters of a row of the index besides its key, about. */
const ROW_CHARACTERS = 80;

/** A write of a batch. */
export interface PlannedWrite extends EntryWrite {
  kind: 'create' | 'update' | 'delete';
  /** As the entry was read, if this is the first change of a stored entry. */
  stored?: EntryForWrite;
  /** Whether a creation has an ID that was sent. */
  isKept?: boolean;
  /** Whether an update is made by somebody who may not publish. */
  isUnapproved?: boolean;
  /** Whether an update publishes an entry that may wait for review. */
  endsReview?: boolean;
}

export interface BatchContext {
  by: Author & LiveRights;
  /** Whether it only tries, for a client that makes drafts, what they would be: it needs no right to change what is live. */
  triesDrafts: boolean;
  isAtomic: boolean;
  isHeavy: boolean;
  /** The problem of an operation without a type. */
  missingType: (operation: BulkOperation) => Problem;
  /** Returns the type that an operation names; undefined if there is none that the caller may change. */
  typeOf: (operation: BulkOperation) => CompiledType | undefined;
  /** The types whose entries may have to be cleared; undefined if the batch deletes no entries to which references with `on_delete` may lead. */
  referringTypes?: ReferringTypes;
  /** Those of the tenant. Undefined if the caller is not limited to locales, and no operation names one. */
  locales: LocaleSettings | undefined;
  /** How many entries the tenant may add. */
  room: number;
  /** Returns the problem of an operation that would add another one. */
  limitReached: () => Problem;
}

/** An operation, with the ID that its entry has if it creates one. */
export interface NumberedOperation extends BulkOperation {
  newId: string;
}

/**
 * Carries out the operations of a batch in memory, one after the other, on what is stored. Each sees the changes of the earlier ones. An
 * operation that needs something that is not looked up yet has no outcome: after a look-up, the plan must be made again.
 */
export class BatchPlan {
  readonly outcomes: (Outcome | undefined)[] = [];
  readonly writes: PlannedWrite[] = [];
  /** The stored entries to which the operations add references in fields with `on_delete`. */
  readonly referred = new Map<string, SoughtEntry>();
  private readonly referrers: BatchReferrers;
  private readonly states: BatchStates;
  private readonly refs = new Map<string, Ref>();
  private derived = 0;
  /** The number of entries that the operations so far add. */
  private net = 0;
  /** The most of `net` after any of the operations so far. */
  added = 0;

  constructor(
    private readonly context: BatchContext,
    lookups: BatchLookups,
    private readonly checks: BatchChecks,
  ) {
    this.states = new BatchStates(lookups);
    this.referrers = new BatchReferrers(lookups);
  }

  /** Who makes the changes. */
  get by(): Author {
    return this.context.by;
  }

  /** Used only if the caller is limited to locales. */
  private get defaultLocale(): string {
    return this.context.locales?.default ?? '';
  }

  /** Whether the work on it must take turns. */
  get isHeavy(): boolean {
    return this.context.isHeavy;
  }

  /** The deletions of entries to which references with `on_delete` may lead. */
  get guardedDeletions(): readonly ReferredDeletion[] {
    return this.referrers.deletions;
  }

  get failures(): { index: number; failure: Failure }[] {
    return this.outcomes.flatMap((outcome, index) => (outcome?.failure ? { index, failure: outcome.failure } : []));
  }

  *make(operations: readonly NumberedOperation[]): SlicedWork<void> {
    for (const operation of operations) {
      const outcome = yield* this.attempt(operation);
      this.outcomes.push(outcome);
      if (operation.ref !== undefined) {
        const ref = { entryId: outcome?.entryId ?? operation.newId, hasFailed: outcome?.result === 'failed' };
        this.refs.set(operation.ref, ref);
        if (ref.hasFailed) this.states.assume(ref.entryId);
      }
      yield;
    }
  }

  private *attempt(operation: NumberedOperation): SlicedWork<Outcome | undefined> {
    const { op, entryId } = operation;
    const type = this.context.typeOf(operation);
    try {
      if (operation.fatal.length > 0) throw Problem.invalid([...operation.fatal, ...operation.errors]);
      if (!type) throw this.context.missingType(operation);
      return yield* this.carryOut(operation, type);
    } catch (problem) {
      if (!(problem instanceof Problem) || problem.status >= 500 || problem.code === 'payload_too_large') throw problem;
      const property = type ? propertyOf(operation, problem) : 'content_type';
      return { op, result: 'failed', entryId, failure: { problem, property } };
    }
  }

  private carryOut(operation: NumberedOperation, type: CompiledType): SlicedWork<Outcome | undefined> {
    switch (operation.op) {
      case 'create':
        return this.create(operation, type, operation.fields);
      case 'update':
        return this.update(operation, type, operation.entryId, operation.fields ?? {});
      case 'upsert':
        return this.upsert(operation, type);
      case 'delete':
        return this.delete(operation, type);
    }
  }

  private *create(operation: NumberedOperation, type: CompiledType, fields: unknown): SlicedWork<Outcome | undefined> {
    const { op, keptId, newId, status = 'draft' } = operation;
    const id = keptId ?? newId;
    this.assertMayChange(type, { after: status });
    const checked = yield* this.checked(operation, type, 'whole', fields);
    if (checked === UNKNOWN) return undefined;
    const uniques = yield* type.schema.uniquesSliced(checked.set);
    const found = yield* this.states.faults(type, id, checked.referring, uniques, uniques);
    const holder = keptId === undefined ? undefined : this.states.idHolder(keptId);
    if (found === UNKNOWN || holder === UNKNOWN) return undefined;
    // Only an upsert keeps an ID, and it found no entry with it: another request has created it since.
    if (holder?.typeId === type.id) throw new StaleReadError();
    if (holder?.typeId !== undefined) throw otherHolder();
    const lacking = status === 'published' ? type.schema.missingIn(checked.set) : [];
    assertNone(
      operation.errors,
      checked.errors,
      sentErrors({ type, locale: operation.locale }, [...found, ...lacking]),
    );
    const { by, isHeavy, room, limitReached } = this.context;
    assertMayCreateInLocales(by, type, { status, names: Object.keys(checked.set) }, this.defaultLocale);
    if (this.net >= room) throw limitReached();
    const entry = { id, values: checked.set, uniques, status, lastVersion: holder?.version };
    const write = yield* creationOf(type, entry, by, isHeavy);
    this.states.create(type, write.row);
    yield* this.refer(type, checked.set);
    yield* this.add({ kind: 'create', isKept: keptId !== undefined, ...write });
    return { op, result: 'created', entryId: id, version: write.row.version, times: timesOf(write.row) };
  }

  private *update(
    operation: NumberedOperation,
    type: CompiledType,
    id: string | undefined,
    fields: unknown,
  ): SlicedWork<Outcome | undefined> {
    const { op, status: sent, precondition } = operation;
    const state = this.states.entry(type, id);
    const checked = yield* this.checked(operation, type, 'patch', fields);
    const uniques = checked === UNKNOWN ? [] : yield* type.schema.uniquesSliced(checked.set);
    const known = checked === UNKNOWN || (yield* this.states.faults(type, id ?? '', checked.referring, uniques, []));
    if (state === UNKNOWN) return undefined;
    const { row: before } = state ?? {};
    // An upsert found the entry by its key: another request has deleted it since.
    if (!before && op === 'upsert') throw new StaleReadError();
    if (!state || !before) throw Problem.notFound('entry');
    assertPermitted(precondition, before.version, 'entry');
    const transition = transitionOf(before.status, sent);
    const { by, isHeavy, triesDrafts } = this.context;
    this.assertMayChange(type, { before: before.status, after: transition.status });
    if (checked === UNKNOWN || known === UNKNOWN) return undefined;

    const { set, removed, referring } = checked;
    // Values of a draft may lack others that are required.
    const isPublished = transition.status === 'published' && !(triesDrafts && sent === undefined);
    const change = yield* applyPatch(type.schema, before.fields, { set, removed, isPublished });
    const faults = yield* this.states.faults(type, before.id, referring, [], change.uniques.added);
    if (faults === UNKNOWN) return undefined;
    const paths = new Set(checked.errors.map(({ path }) => path));
    const sentIn = { type, locale: operation.locale };
    const others = sentErrors(sentIn, change.errors).filter(({ path }) => !paths.has(path));
    const readOnly = differing(operation.sentBack ?? {}, readOnlyProperties(type.id, before));
    assertNone(operation.errors, readOnly, checked.errors, others, sentErrors(sentIn, faults));
    const write = yield* updateOf(type, before, change, transition, by, isHeavy);
    const changed = { before: before.status, transition, names: write.storedNames };
    assertMayUpdateInLocales(by, type, changed, this.defaultLocale);
    const found = { typeId: type.id, isPublished: before.status === 'published' };
    if (op === 'upsert' && write.changed.length === 0 && transition.status === before.status) {
      return { op, result: 'unchanged', entryId: before.id, version: before.version, times: timesOf(before), found };
    }
    yield* this.refer(type, set);
    const isUnapproved = !mayChangeLive(by, type.id);
    const endsReview = before.status === 'draft' && isPublished && state.stored?.isDrafted === true;
    yield* this.add({ kind: 'update', ...this.states.replace(state, write.row), ...write, isUnapproved, endsReview });
    const { row } = write;
    return { op, result: 'updated', entryId: row.id, version: row.version, times: timesOf(row), found };
  }

  private *upsert(operation: NumberedOperation, type: CompiledType): SlicedWork<Outcome | undefined> {
    const { key, keptId } = operation;
    if (keptId !== undefined) {
      const state = this.states.entry(type, keptId);
      if (state === UNKNOWN) return undefined;
      if (state?.row) return yield* this.update(operation, type, keptId, operation.fields ?? {});
      if (!key) return yield* this.create(operation, type, operation.fields);
    }
    if (!key) throw new Error('An upsert has a key.');
    const keyed = { ...operation, key };
    const own = type.schema.ownField(key.field);
    const path = `key.${key.field}`;
    if (!own) throw refused(operation, path, 'unknown_property', `There is no field ${key.field}.`);
    if (!own.unique || own.multiple) {
      throw refused(operation, path, 'unique', `${key.field} must be a unique field that has one value.`);
    }
    if (isKeyEmpty(type, keyed)) throw refused(operation, path, 'required', `${key.field} is required.`);
    const fields = operation.fields ?? {};
    // What is not an object is reported as such.
    const merged = isValues(fields) ? { ...fields, [key.field]: key.value } : fields;
    if (isValues(fields) && Object.hasOwn(fields, key.field)) {
      if (!(yield* isSameSliced(fields[key.field], key.value))) {
        const message = `${key.field} must be equal to its value in key, or be left out.`;
        throw refused(operation, `fields.${key.field}`, 'key', message);
      }
    }
    // An entry that an earlier operation creates may decide how this one is checked, so ask for both.
    const whole = yield* this.checked(operation, type, 'whole', merged);
    const patch = yield* this.checked(operation, type, 'patch', merged);
    if (whole === UNKNOWN || patch === UNKNOWN) return undefined;
    const name = keyNames(type, keyed).find((one) => Object.hasOwn(patch.set, one));
    const field = name === undefined ? undefined : type.schema.field(name);
    if (name === undefined || !field) return yield* this.create(operation, type, merged);
    const value = field.identity(patch.set[name]);
    const holder = this.states.holder({ typeId: type.id, field: field.indexName, value });
    if (holder === UNKNOWN) return undefined;
    return holder === undefined
      ? yield* this.create(operation, type, merged)
      : yield* this.update(operation, type, holder, merged);
  }

  private *delete(operation: NumberedOperation, type: CompiledType): SlicedWork<Outcome | undefined> {
    const { op, entryId, precondition } = operation;
    const state = this.states.entry(type, entryId);
    if (state === UNKNOWN) return undefined;
    const { row } = state ?? {};
    if (!state || !row) throw Problem.notFound('entry');
    assertPermitted(precondition, row.version, 'entry');
    assertNotLimited(this.context.by, 'cannot delete entries');
    this.assertMayChange(type, { before: row.status });
    assertNone(operation.errors);
    if (type.isGuarded && !(yield* this.clearReferrers(state, row.id))) return undefined;
    const write = yield* deletionOf(type, row);
    yield* this.add({ kind: 'delete', ...this.states.replace(state, undefined), ...write });
    return { op, result: 'deleted', entryId: row.id };
  }

  /** Removes the references to an entry before it is deleted. Returns false if something must be looked up first. */
  private *clearReferrers({ type, stored }: EntryState, id: string): SlicedWork<boolean> {
    const referrers = this.referrers.toClear(type.id, id, stored !== undefined);
    if (referrers === UNKNOWN) return false;
    const states = referrers.map((referrer) => {
      const referring = this.context.referringTypes?.get(referrer.typeId);
      if (!referring) throw new StaleReadError();
      return this.states.entry(referring, referrer.id);
    });
    const isComplete = states.every((state) => state !== UNKNOWN);
    const { by } = this.context;
    const isUnapproved = !mayChangeLive(by, type.id);
    for (const state of states) {
      if (isUnapproved && state !== UNKNOWN && state?.row?.status === 'published') throw clearsLive(by);
    }
    for (const state of states) {
      if (state !== UNKNOWN && state?.row)
        yield* this.clear(state, state.row, { gone: formatId('ent', id), isUnapproved });
    }
    return isComplete;
  }

  private *clear(
    state: EntryState,
    before: EntryOfType,
    { gone, isUnapproved }: { gone: string; isUnapproved: boolean },
  ): SlicedWork<void> {
    const { schema } = state.type;
    const values = (yield* parseSliced(before.fields)) as EntryFields;
    const patch = yield* without(schema, values, new Set([gone]));
    // A reference with the same path in another block, which is kept.
    if (patch.removed.length === 0 && Object.keys(patch.set).length === 0) return;
    // Other values of the entry are not checked.
    const change = yield* applyPatch(schema, before.fields, { ...patch, isPublished: false });
    const { by, isHeavy } = this.context;
    const transition = keeping(before.status, 'updated');
    const write = yield* updateOf(state.type, before, change, transition, by, isHeavy);
    yield* this.add({ kind: 'update', ...this.states.replace(state, write.row), ...write, isUnapproved });
  }

  /** Notes the entries that a write must lock, because references in fields with `on_delete` lead to them. */
  private *refer({ schema, targets }: CompiledType, values: EntryFields): SlicedWork<void> {
    if (!schema.isGuarding) return;
    for (const { id: to, field, isGuarded } of yield* schema.referencesSliced(values)) {
      // An entry that the batch creates is not stored yet.
      if (isGuarded && this.states.mayBeStored(parseId('ent', to) ?? '')) {
        this.referred.set(to, { to, types: targetsOf(targets, field.key) });
      }
    }
  }

  private assertMayChange(type: CompiledType, change: EntryChange): void {
    const { by, triesDrafts } = this.context;
    if (!triesDrafts) assertMayChangeEntry(by, type.id, change);
  }

  private *checked(
    operation: NumberedOperation,
    type: CompiledType,
    mode: CheckMode,
    fields: unknown,
  ): SlicedWork<CheckedValues | Unknown> {
    // If `fields` is missing, that is reported already.
    if (fields === undefined) return NO_VALUES;
    const { isAtomic } = this.context;
    const { locale } = operation;
    const settings = type.locales ?? this.context.locales;
    if (settings && locale !== undefined) assertLocaleOf(settings, locale);
    // A reference stands for the entry of an earlier operation in any locale.
    const stored = sentValues(type, fields, locale);
    const { values, errors, key } = yield* substituteRefs(type.schema, stored.values, this.refs, {
      unknownId: UNKNOWN_ID,
      isAtomic,
    });
    const sent = { type, mode, values, ...(type.locales && { locale, isStored: true }) };
    const checked = this.checks.of(`${operation.newId} ${key}`, sent);
    if (checked === UNKNOWN) return checked;
    const found = [...stored.errors, ...checked.errors, ...sentErrors({ type, locale }, errors)];
    return { ...checked, errors: atKey(operation, found) };
  }

  private *add(write: PlannedWrite): SlicedWork<void> {
    const { values, uniques } = write.rows;
    this.states.claim(write.type, write.row.id, uniques);
    this.derived += write.row.fields.length + (write.document?.vector.length ?? 0);
    for (const { vector, sequence } of write.documents?.written ?? [])
      this.derived += vector.length + (sequence?.length ?? 0);
    for (const { key } of [...values.added, ...values.removed]) this.derived += key.length + ROW_CHARACTERS;
    if (this.derived > MAX_DERIVED) throw tooMuch();
    this.writes.push(write);
    if (write.kind !== 'update') this.net += write.kind === 'create' ? 1 : -1;
    this.added = Math.max(this.added, this.net);
    if (!this.context.referringTypes) return;
    yield* this.referrers.note(write.type, write.row.id, write.kind === 'delete' ? undefined : write.row);
  }
}

function assertLocaleOf(settings: LocaleSettings, locale: string): void {
  const codes = codesOf(settings);
  if (locale === ALL_LOCALES || codes.includes(locale)) return;
  const message = `There is no locale ${shorten(locale)}. The locales are ${listed(codes)}, or * for all.`;
  throw Problem.invalid([{ path: 'locale', code: 'options', message }]);
}

/** The property of an operation that a problem concerns. */
function propertyOf({ op, status }: BulkOperation, { code }: Problem): Failure['property'] {
  if (code === 'precondition_failed') return 'if_match';
  if (code !== 'forbidden' || op === 'update' || op === 'delete') return 'entry_id';
  return status === 'published' ? 'status' : 'key';
}

function assertNone(...errors: readonly (readonly ValueError[])[]): void {
  const all = errors.flat();
  if (all.length > 0) throw Problem.invalid(all.slice(0, MAX_ERRORS));
}

/** A 422 for the key of an upsert, with the errors that the operation has besides. */
function refused({ errors }: BulkOperation, path: string, code: ValueErrorCode, message: string): Problem {
  return Problem.invalid([{ path, code, message }, ...errors]);
}

/** Moves errors of the value in the key of an upsert there. If the fields repeat the value, its errors stay at the fields. */
function atKey({ key, fields }: BulkOperation, errors: readonly ValueError[]): ValueError[] {
  if (!key || (isValues(fields) && Object.hasOwn(fields, key.field))) return [...errors];
  const path = `fields.${key.field}`;
  return errors.map((error) =>
    // With all locales, the code follows.
    error.path === path || error.path.startsWith(`${path}.`)
      ? { ...error, path: error.path.replace('fields', 'key') }
      : error,
  );
}

function otherHolder(): Problem {
  return new Problem('conflict', 'An entry of another content type has this ID.');
}

function isValues(value: unknown): value is EntryFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function tooMuch(): Problem {
  return new Problem('payload_too_large', 'The operations write too much at once. Send fewer operations.');
}
