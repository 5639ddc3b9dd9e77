import type { SlicedWork } from '../../../admission/sliced-work.js';
import { type AuditedAction, auditOf } from '../../../audit/record-changes.js';
import { columns } from '../../../database/statements/text-array.js';
import { Problem } from '../../../errors/problem.js';
import { ownNames } from '../../../fields/localized/localized-names.js';
import type { UniqueValue } from '../../../fields/schema.js';
import type { Author } from '../../../http/caller.js';
import { formatId, newUuid, timeOf } from '../../../ids/type-id.js';
import type { EventType } from '../../../modules/module-manifest.js';
import type { SearchDocument } from '../../../search/search-vector.js';
import { summaryOf, UNLISTED, type VersionAction } from '../../history/entry-version.js';
import type { CompiledType } from '../../schemas.js';
import type { EntryOfType, StoredEntry } from '../entries.sql.js';
import { aroundFields } from '../entry-presenter.js';
import { defaultJson, liveLocales, localizedJson } from '../../locales/shown-json.js';
import type { EntryStatus } from '../entry.entity.js';
import type { DocumentChanges } from '../../words/document-changes.js';
import type { EntryFields } from './entry-values.js';
import type { EntryParameters } from './entry-parts.sql.js';
import { type AppliedPatch, changedForm, type RowChanges, storedForm, storedUniques } from './stored-form.js';

/** Maximum length of an entry's JSON after an update, in characters. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

/** A creation, an update or a deletion of one entry, with all that is stored because of it. */
export interface EntryWrite {
  type: CompiledType;
  /** The entry afterwards; the last state of a deleted one. */
  row: EntryOfType;
  /** When it changes. ISO 8601. */
  at: string;
  /** Undefined if it is unchanged. */
  document?: SearchDocument;
  /** The documents in locales. Undefined if they are unchanged. */
  documents?: DocumentChanges;
  rows: RowChanges;
  events: readonly EventType[];
  /** The locales that the change concerns (`locales_changed`). */
  locales: readonly string[];
  /** Of the version (see `summaryOf`). */
  summary: string;
  audit: AuditedAction;
  /** By how much the numbers of entries grow. */
  counts: { drafts: number; published: number };
}

/** What an update does to the status of an entry. */
export interface Transition {
  status: EntryStatus;
  events: readonly EventType[];
  /** What the version says. */
  action: VersionAction;
}

/** The content of a new entry. Its values are valid. */
interface NewEntry {
  id: string;
  values: EntryFields;
  uniques: readonly UniqueValue[];
  status: EntryStatus;
  /** If the ID was sent: the last version that an earlier entry with it had; 0 if there was none. */
  lastVersion?: number;
}

const CREATED: Readonly<Record<EntryStatus, readonly EventType[]>> = {
  draft: ['entry.created'],
  published: ['entry.created', 'entry.published'],
};

export function* creationOf(
  type: CompiledType,
  { id, values, uniques, status, lastVersion }: NewEntry,
  author: Author,
  isHeavy: boolean,
): SlicedWork<EntryWrite> {
  // Lists rely on `created_at` having the order of the IDs.
  const createdAt = timeOf(id).toISOString();
  const at = lastVersion === undefined ? createdAt : new Date().toISOString();
  const { fields, document, documents, rows, locales } = yield* storedForm(type, { values, uniques, isHeavy, at });
  const times = { createdAt, updatedAt: at, publishedAt: publishedAt(status, at) };
  return {
    type,
    row: { id, typeId: type.id, fields, status, version: (lastVersion ?? 0) + 1, ...times },
    at,
    document,
    documents,
    rows,
    events: CREATED[status],
    locales,
    summary: summaryOf({ action: 'created', status, changed: ownNames(Object.keys(values)), author }),
    audit: { action: 'created', resource: entryResource(id) },
    counts: countOf(status, 1),
  };
}

/** `changed` has the names of the fields whose values differ, `storedNames` those that they are stored under. Throws a 422 if the entry becomes too large. */
export function* updateOf(
  type: CompiledType,
  before: StoredEntry,
  change: AppliedPatch,
  { status, events, action }: Transition,
  author: Author,
  isHeavy: boolean,
): SlicedWork<EntryWrite & { changed: readonly string[]; storedNames: readonly string[] }> {
  const at = new Date().toISOString();
  const form = yield* changedForm(type, change, { isHeavy, at });
  const { fields, document, documents, rows, locales, changed: stored } = form;
  const changed = ownNames(stored);
  assertEntrySize(before.fields, fields);
  const times = { updatedAt: at, publishedAt: publishedAt(status, at, before.publishedAt) };
  // No field is named `status`.
  const changes = status === before.status ? changed : [...changed, 'status'];
  return {
    type,
    row: { ...before, typeId: type.id, fields, status, version: before.version + 1, ...times },
    at,
    document,
    documents,
    rows,
    events,
    locales: status === before.status ? locales : [...new Set([...locales, ...seenLocales(type, fields)])].sort(),
    summary: summaryOf({ action, status, changed, author }),
    audit: { action, resource: entryResource(before.id), changes },
    counts: status === before.status ? countOf(status, 0) : sum(countOf(before.status, -1), countOf(status, 1)),
    changed,
    storedNames: stored,
  };
}

export function* deletionOf(type: CompiledType, before: StoredEntry): SlicedWork<EntryWrite> {
  const removed = yield* storedUniques(type.schema, before.fields);
  return {
    type,
    row: { ...before, typeId: type.id },
    at: new Date().toISOString(),
    rows: { values: { added: [], removed: [] }, uniques: { added: [], removed } },
    events: ['entry.deleted'],
    locales: [],
    summary: UNLISTED,
    audit: { action: 'deleted', resource: entryResource(before.id) },
    counts: countOf(before.status, -1),
  };
}

/** The words that the dictionary of the type may lack. */
export function* vocabularyOf({ document, documents }: Pick<EntryWrite, 'document' | 'documents'>): Iterable<string> {
  yield* document?.vocabulary ?? [];
  for (const { vocabulary } of documents?.written ?? []) yield* vocabulary;
}

/** The locales in which readers see values of the entry while it is published. None if its type has no localized fields. */
export function seenLocales({ locales }: CompiledType, fields: string): string[] {
  return locales ? [locales.default, ...liveLocales(fields)].sort() : [];
}

/** The parameters of a statement that writes one entry. */
export function* parametersOf(write: EntryWrite, by: Author): SlicedWork<EntryParameters> {
  const { type, row, at, document, rows, events, summary, audit, counts } = write;
  return {
    typeId: type.id,
    typeVersion: type.version,
    entryId: row.id,
    fields: row.fields,
    status: row.status,
    publishedAt: row.publishedAt,
    at,
    words: document?.vector ?? null,
    gaps: document?.gaps ?? 0,
    sequence: document?.sequence ?? null,
    ...(yield* columns(rows.values.added, ADDED_VALUES)),
    ...(yield* columns(rows.values.removed, REMOVED_VALUES)),
    ...(yield* columns(rows.uniques.added, ADDED_UNIQUES)),
    ...(yield* columns(rows.uniques.removed, REMOVED_UNIQUES)),
    ...counts,
    eventIds: events.map(newUuid),
    eventTypes: events,
    ...eventDataOf(write),
    summary,
    audit: auditOf(by, audit),
  };
}

/** What events show of the entry. Of a type with localized fields, the values of the default locale and, apart from them, those of the others. */
export function eventDataOf({ type, row, locales }: Pick<EntryWrite, 'type' | 'row' | 'locales'>) {
  if (!type.locales) return { ...aroundFields(type.id, row), shownFields: null };
  const more = `,"localized":${localizedJson(row.fields)}${localesChanged(locales)}`;
  return { ...aroundFields(type.id, { ...row, more }), shownFields: defaultJson(row.fields) };
}

/** How the data of an event about an entry ends if its type has localized fields. Filters of webhooks look for it there. */
export function localesChanged(locales: readonly string[]): string {
  return `,"locales_changed":${JSON.stringify(locales)}`;
}

/** Maps parameters of the statements to properties of index rows. */
const ADDED_VALUES = { addedFields: 'field', addedKeys: 'key', addedDiscriminators: 'discriminator' } as const;
const REMOVED_VALUES = { removedFields: 'field', removedKeys: 'key', removedDiscriminators: 'discriminator' } as const;
const ADDED_UNIQUES = { addedUniqueFields: 'field', addedUniqueValues: 'key' } as const;
const REMOVED_UNIQUES = { removedUniqueFields: 'field', removedUniqueValues: 'key' } as const;

/** What an update does that sends this status, or none. */
export function transitionOf(before: EntryStatus, sent: EntryStatus | undefined): Transition {
  if (sent === 'published') return PUBLISH;
  if (before === 'published' && sent === 'draft') {
    return { status: 'draft', events: ['entry.updated', 'entry.unpublished'], action: 'unpublished' };
  }
  return keeping(before, 'updated');
}

export const PUBLISH: Transition = {
  status: 'published',
  events: ['entry.updated', 'entry.published'],
  action: 'published',
};

/** What an update does that leaves the status as it is. */
export function keeping(status: EntryStatus, action: VersionAction): Transition {
  return { status, events: ['entry.updated'], action };
}

/** Rejects a change that makes an entry too large. An entry that already exceeds the limit may still shrink. */
export function assertEntrySize(before: string, after: string): void {
  if (after.length <= MAX_CHARACTERS || after.length <= before.length) return;
  const message = `fields must have at most ${MAX_CHARACTERS} characters in total when written as JSON.`;
  throw Problem.invalid([{ path: 'fields', code: 'too_long', message }]);
}

/** An entry, as the audit log names it. */
export function entryResource(id: string): { type: string; id: string } {
  return { type: 'entry', id: formatId('ent', id) };
}

/** When an entry that gets this status at `at` became published. `before` is when it did if it is published already. */
function publishedAt(status: EntryStatus, at: string, before: string | null = null): string | null {
  return status === 'published' ? (before ?? at) : null;
}

function countOf(status: EntryStatus, by: number): EntryWrite['counts'] {
  return status === 'draft' ? { drafts: by, published: 0 } : { drafts: 0, published: by };
}

function sum(one: EntryWrite['counts'], other: EntryWrite['counts']): EntryWrite['counts'] {
  return { drafts: one.drafts + other.drafts, published: one.published + other.published };
}
