import { mayRead } from '../../access/may-read.js';
import type { Problem, ValueError } from '../../errors/problem.js';
import type { Caller } from '../../http/caller.js';
import type { IdOrSlug } from '../../ids/id-or-slug.js';
import type { StoredEntry } from '../entries/entries.sql.js';
import type { EntryStatus } from '../entries/entry.entity.js';
import type { Precondition } from '../../http/responses/etag.js';
import type { SentBack } from '../../http/bodies/read-only.js';

export const OPERATIONS = ['create', 'upsert', 'update', 'delete'] as const;

/** One operation of a batch. Its values are not checked yet. */
export interface BulkOperation {
  op: (typeof OPERATIONS)[number];
  /** Undefined for a text that no content type can have as its ID or slug. */
  typeName: IdOrSlug | undefined;
  /** The UUID of the entry to update or delete; undefined for a text that is not the ID of an entry. */
  entryId?: string;
  /** The unique field, and its value, by which an upsert finds its entry. */
  key?: { field: string; value: unknown };
  /** The UUID that a new entry gets. An entry of the type that has it is updated instead. Only for an upsert. */
  keptId?: string;
  /** The name by which later operations refer to the entry. */
  ref?: string;
  fields?: unknown;
  /** The locale of the values of localized fields. */
  locale?: string;
  status?: EntryStatus;
  precondition?: Precondition;
  /** Read-only properties of the entry that were sent back. */
  sentBack?: SentBack;
  /** Errors of what finds the content type and the entry. With them, nothing else is checked. */
  fatal: ValueError[];
  /** Other errors, which are reported together with those of the values. */
  errors: ValueError[];
}

/** An entry as it was before an operation found it, by its ID or by the key of an upsert. */
interface FoundTarget {
  typeId: string;
  isPublished: boolean;
}

/** What became of an operation, or would become of it. */
export interface Outcome {
  op: BulkOperation['op'];
  result: 'created' | 'updated' | 'unchanged' | 'deleted' | 'failed';
  /** A UUID. */
  entryId?: string;
  /** Undefined if the entry is gone. */
  version?: number;
  /** Undefined without a version. */
  times?: EntryTimes;
  /** Set for an update or an upsert of an entry. */
  found?: FoundTarget;
  failure?: Failure;
}

type EntryTimes = Pick<StoredEntry, 'createdAt' | 'updatedAt' | 'publishedAt'>;

export function timesOf({ createdAt, updatedAt, publishedAt }: EntryTimes): EntryTimes {
  return { createdAt, updatedAt, publishedAt };
}

/** The outcome as the caller may know it. One that may not read the entry learns neither its ID by a key, nor whether it has these values. */
export function shownOutcome(caller: Caller, outcome: Outcome): Outcome {
  const { op, entryId, found } = outcome;
  if (!found || mayRead(caller, { area: 'content', ...found })) return outcome;
  return { op, result: 'updated', ...(op === 'update' && { entryId }) };
}

export interface Failure {
  problem: Problem;
  /** The property of the operation that the problem concerns, if it has no `errors` that say so. */
  property: 'content_type' | 'entry_id' | 'if_match' | 'key' | 'status';
}
