import type { SlicedWork } from '../../../admission/sliced-work.js';
import type { Transaction } from '../../../database/transaction.js';
import { columns } from '../../../database/statements/text-array.js';
import { parseSliced } from '../../../json/parse-sliced.js';
import type { ContentType } from '../../content-type.entity.js';
import type { EntryFields } from '../../entries/writes/entry-values.js';
import { each, INDEXED_VALUES, SchemaChange } from '../schema-change.js';
import type { CheckedEntry, SchemaChangePlan, UniqueOfEntry } from '../schema-change-plan.js';
import type { Misfit } from '../schema-plan.js';
import { ADD_PREPARED_VALUES } from '../schema-change.sql.js';
import {
  type EntryToPrepare,
  REMOVE_CLAIMS,
  REMOVE_PREPARED_VALUES,
  REMOVE_STALE_CLAIMS,
  WRITE_PREPARED,
} from './schema-changes.sql.js';

/**
 * Prepares what entries become, beside what they are: nobody reads it before the schema is switched. Takes entries that writers change at the
 * same time: one that was written since it was read is left out, and found again by its version.
 */
export class OnlineChange extends SchemaChange {
  /** `type` is the content type after the change. */
  constructor(transaction: Transaction, type: ContentType, plan: SchemaChangePlan) {
    super(transaction, type, plan);
  }

  /**
   * Returns the number of entries that block the change. `isRepeated`: the entries were written since the change began; also what does not
   * change is noted as prepared, so that it is not found again. `onlyChecks` stores nothing, because the change is known to be blocked.
   */
  async prepare(
    rows: readonly EntryToPrepare[],
    { isRepeated, onlyChecks }: { isRepeated: boolean; onlyChecks: boolean },
  ): Promise<number> {
    this.isRepeated = isRepeated;
    this.onlyChecks = onlyChecks;
    this.kept = new Set();
    await this.forgetEarlier(rows.filter(({ stale }) => stale !== null));
    this.versions = new Map(rows.map(({ id, version }) => [id, version]));
    await this.change(rows);
    return this.conflicting.size;
  }

  private versions = new Map<string, number>();
  /** The entries that were not written since they were read. */
  private kept: ReadonlySet<string> = new Set();
  private isRepeated = false;
  private onlyChecks = false;

  protected override async store(entries: readonly CheckedEntry[]): Promise<void> {
    if (this.onlyChecks) return;
    const changing = this.isRepeated ? entries : entries.filter((entry) => this.plan.writesOf(entry));
    if (changing.length === 0) return;
    const prepared = await this.inSteps(each(changing, (entry) => this.preparationOf(entry)));
    const { typeId, type } = this;
    const { ids, ...texts } = await this.inSteps(
      columns(prepared, { ids: 'id', versions: 'version', prepared: 'prepared', retired: 'retired' } as const),
    );
    const written = await this.query(WRITE_PREPARED, { typeId, typeVersion: type.version, ids, ...texts });
    this.kept = new Set(written.map(({ id }) => id));
    const rows = await this.inSteps(
      each(
        changing.filter(({ id }) => this.kept.has(id)),
        ({ id, values }) => this.plan.indexRowsOf(id, values),
      ),
    );
    await this.writeRows(ADD_PREPARED_VALUES, rows.flat(), INDEXED_VALUES);
  }

  protected override async claim(wanted: readonly UniqueOfEntry[]): Promise<Misfit[]> {
    const uniques = wanted.filter(({ id }) => this.kept.has(id));
    if (uniques.length === 0) return [];
    const { typeId, type } = this;
    const claims = await this.inSteps(columns(uniques, { fields: 'field', values: 'key' } as const));
    await this.query(REMOVE_STALE_CLAIMS, { typeId, typeVersion: type.version, ...claims });
    return super.claim(uniques);
  }

  private *preparationOf(
    entry: CheckedEntry,
  ): SlicedWork<Record<'id' | 'version', string> & Record<'prepared' | 'retired', string | null>> {
    const { id } = entry;
    const version = String(this.versions.get(id));
    if (!this.plan.writes) return { id, version, prepared: null, retired: null };
    const { fields: prepared, retired } = yield* this.plan.contentOf(entry);
    return { id, version, prepared, retired };
  }

  /** Removes the index rows and claims that were prepared for earlier versions of entries. */
  private async forgetEarlier(rows: readonly EntryToPrepare[]): Promise<void> {
    if (rows.length === 0) return;
    const { typeId, plan } = this;
    const fields = plan.indexFields.after;
    await this.query(REMOVE_PREPARED_VALUES, { typeId, ids: rows.map(({ id }) => id), fields });
    const claims = await this.inSteps(each(rows, (row) => this.claimsOf(row)));
    await this.writeRows(REMOVE_CLAIMS, claims.flat(), { ids: 'id', fields: 'field', values: 'key' });
  }

  private *claimsOf({ id, stale }: EntryToPrepare): SlicedWork<UniqueOfEntry[]> {
    return yield* this.plan.claimsOf(id, (yield* parseSliced(stale ?? '{}')) as EntryFields);
  }
}
