import { runAtOnce } from '../../admission/sliced-work.js';
import type { Executor } from '../../database/transaction.js';
import { columns } from '../../database/statements/text-array.js';
import { Problem } from '../../errors/problem.js';
import { type EntryForWrite, GET_MANY_FOR_WRITE, MISSING_REFERENCES } from '../entries/entries.sql.js';
import { LARGE_ENTRIES } from '../lists/large-entries.sql.js';
import { formatId } from '../../ids/type-id.js';
import { lookUps, type SoughtEntry } from '../entries/writes/reference-look-ups.js';
import { type BatchReferrer, MAX_OF_BATCH, REFERRERS_OF_MANY } from '../references/referential-actions.sql.js';
import { ID_HOLDERS, UNIQUE_HOLDERS } from './batch.sql.js';
import { grouped } from './grouped.js';

/** The entries that one batch reads have at most this many bytes of JSON together. */
const MAX_STORED_BYTES = 32 * 1024 * 1024;

/** Stands for what is not looked up yet. */
export const UNKNOWN = Symbol('not looked up');
export type Unknown = typeof UNKNOWN;

/** Collects what is asked for, so that it is looked up together. */
export class Asked<Wanted, Found> {
  private readonly found = new Map<string, Found>();
  private wanted = new Map<string, Wanted>();

  get isComplete(): boolean {
    return this.wanted.size === 0;
  }

  /** Returns what was found for the key, or notes that it is wanted. */
  get(key: string, wanted: Wanted): Found | Unknown {
    if (this.found.has(key)) return this.found.get(key) as Found;
    this.wanted.set(key, wanted);
    return UNKNOWN;
  }

  /** Returns what is wanted, which counts as answered from now on: with `fallback`, until `set` is called. */
  take(fallback: (wanted: Wanted) => Found): [key: string, wanted: Wanted][] {
    const wanted = [...this.wanted];
    this.wanted = new Map();
    for (const [key, one] of wanted) this.found.set(key, fallback(one));
    return wanted;
  }

  set(key: string, found: Found): void {
    this.found.set(key, found);
  }
}

interface WantedUnique {
  typeId: string;
  field: string;
  value: string;
}

/** Who has an ID: the content type of an entry, and the last version that any entry with it has had; 0 if there was none. */
export interface IdHolder {
  typeId?: string;
  version: number;
}

const FREE: IdHolder = { version: 0 };

/**
 * What a batch needs to know of the database. The plan asks for one value after the other and continues without those that are unknown.
 * `load` then reads all of them with a few statements, and the plan is made again.
 */
export class BatchLookups {
  private readonly entries = new Asked<{ typeId: string; id: string }, EntryForWrite | undefined>();
  private readonly holders = new Asked<WantedUnique, string | undefined>();
  private readonly idHolders = new Asked<string, IdHolder>();
  private readonly references = new Asked<SoughtEntry, boolean>();
  private readonly referring = new Asked<{ typeId: string; id: string }, readonly BatchReferrer[]>();
  /** The JSON of the entries that were read. */
  bytes = 0;

  constructor(
    private readonly executor: Executor,
    private readonly tenantId: string,
  ) {}

  get isComplete(): boolean {
    const all = [this.entries, this.holders, this.idHolders, this.references, this.referring];
    return all.every(({ isComplete }) => isComplete);
  }

  /** The stored entry; undefined if the type has no such entry. */
  entry(typeId: string, id: string): EntryForWrite | undefined | Unknown {
    return this.entries.get(`${typeId} ${id}`, { typeId, id });
  }

  /** The ID of the stored entry that has the unique value; undefined if no entry has it. */
  holder(unique: WantedUnique): string | undefined | Unknown {
    return this.holders.get(uniqueKey(unique), unique);
  }

  /** Who has an ID that a new entry is to get. */
  idHolder(id: string): IdHolder | Unknown {
    return this.idHolders.get(id, id);
  }

  /** Whether a reference leads to a stored entry. */
  exists(reference: SoughtEntry): boolean | Unknown {
    return this.references.get(`${reference.to} ${reference.types.join()}`, reference);
  }

  /** The stored entries that refer to an entry in fields with `on_delete`, itself included, by type and ID. */
  referrers(typeId: string, id: string): readonly BatchReferrer[] | Unknown {
    return this.referring.get(id, { typeId, id });
  }

  async load(): Promise<void> {
    await this.loadEntries();
    await this.loadHolders();
    await this.loadIdHolders();
    await this.loadReferences();
    await this.loadReferrers();
  }

  private async loadEntries(): Promise<void> {
    const wanted = this.entries.take(() => undefined);
    for (const [typeId, ofType] of byType(wanted)) {
      const entryIds = ofType.map(([, { id }]) => id);
      const sizes = await this.executor.query(this.tenantId, LARGE_ENTRIES.sizes, { typeId, ids: entryIds });
      this.bytes += sizes.reduce((sum, { bytes }) => sum + bytes, 0);
      if (this.bytes > MAX_STORED_BYTES) throw tooLarge();
      const rows = await this.executor.query(this.tenantId, GET_MANY_FOR_WRITE, { typeId, entryIds });
      for (const row of rows) this.entries.set(`${typeId} ${row.id}`, row);
    }
  }

  private async loadHolders(): Promise<void> {
    const wanted = this.holders.take(() => undefined);
    for (const [typeId, ofType] of byType(wanted)) {
      const uniques = ofType.map(([, unique]) => unique);
      const arrays = runAtOnce(columns(uniques, { fields: 'field', values: 'value' } as const));
      const rows = await this.executor.query(this.tenantId, UNIQUE_HOLDERS, { typeId, ...arrays });
      for (const { place, entryId } of rows) {
        const key = ofType[place - 1]?.[0];
        if (key !== undefined) this.holders.set(key, entryId);
      }
    }
  }

  private async loadIdHolders(): Promise<void> {
    const ids = this.idHolders.take(() => FREE).map(([id]) => id);
    if (ids.length === 0) return;
    for (const { id, typeId, version } of await this.executor.query(this.tenantId, ID_HOLDERS, { ids })) {
      this.idHolders.set(id, { ...(typeId !== null && { typeId }), version: version ?? 0 });
    }
  }

  private async loadReferences(): Promise<void> {
    const wanted = this.references.take(() => true);
    if (wanted.length === 0) return;
    const sought = runAtOnce(lookUps(wanted.map(([, reference]) => reference)));
    for (const { place } of await this.executor.query(this.tenantId, MISSING_REFERENCES, sought)) {
      const key = wanted[place]?.[0];
      if (key !== undefined) this.references.set(key, false);
    }
  }

  private async loadReferrers(): Promise<void> {
    const wanted = this.referring.take(() => []);
    for (const [typeId, ofType] of byType(wanted)) {
      const ids = ofType.map(([id]) => id);
      const found = await referrersInBatch(this.executor, this.tenantId, typeId, ids);
      for (const id of ids) this.referring.set(id, found.get(formatId('ent', id)) ?? []);
    }
  }
}

/** The referrers of each of several entries of a type, by public ID. */
export async function referrersInBatch(
  executor: Executor,
  tenantId: string,
  typeId: string,
  ids: readonly string[],
): Promise<Map<string, BatchReferrer[]>> {
  const publicIds = ids.map((id) => formatId('ent', id));
  const rows = await executor.query(tenantId, REFERRERS_OF_MANY, { typeId, publicIds });
  if (rows.reduce((sum, { references }) => sum + references, 0) > MAX_OF_BATCH) throw tooManyReferrers();
  return grouped(rows, ({ to }) => to);
}

/** Identifies a unique value within the tenant. */
export function uniqueKey({ typeId, field, value }: WantedUnique): string {
  return `${typeId} ${field} ${value}`;
}

function byType<Wanted extends { typeId: string }>(wanted: [string, Wanted][]): Map<string, [string, Wanted][]> {
  return grouped(wanted, ([, { typeId }]) => typeId);
}

function tooLarge(): Problem {
  const detail = `The entries that the operations change have more than ${MAX_STORED_BYTES} bytes together. Send fewer operations.`;
  return new Problem('payload_too_large', detail);
}

function tooManyReferrers(): Problem {
  const detail = `More than ${MAX_OF_BATCH} references lead to the entries that the operations delete. Delete fewer entries at once.`;
  return new Problem('payload_too_large', detail);
}
