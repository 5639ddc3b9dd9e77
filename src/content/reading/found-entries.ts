import { isoTimestamp } from '../../database/statements/prepared-query.js';
import type { EntryRow } from '../entries/entry-presenter.js';
import type { EntryStatus } from '../entries/entry.entity.js';

/** An entry that references lead to. `fields` is null if it is known or large, or if the entries before it are large together. */
export interface FoundEntry extends Omit<EntryRow, 'fields'> {
  typeId: string;
  version: number;
  fields: string | null;
  bytes: number;
  /** The numbers of the fields that refer to it. */
  via: number[];
  /** The draft, if there is one and drafts are shown. Null if `fields` is. */
  draft: string | null;
  bases: string | null;
}

/** What a level counts: `references` and `lookUps` exceed `MAX_READ` by one if there are more, and then nothing is found. */
interface LevelCounts {
  isCurrent: boolean;
  references: number;
  lookUps: number;
}

/**
 * A row of a level: one for each entry, or a single one if nothing is found. `head` has the counts and the short columns, because a driver
 * takes as long for a short column as for a long one.
 */
export interface LevelRow {
  head: string;
  fields: string | null;
}

export interface DraftedLevelRow extends LevelRow {
  draft: string | null;
  bases: string | null;
}

/**
 * SQL for a row's `head`, from the counts `c` and the entry `e`. None of an entry's columns may be null but the `last` one: `concat_ws` leaves
 * nulls out.
 */
export function head(last: string): string {
  return `concat_ws(',', c."isCurrent", c."references", c."lookUps", e.id, e."typeId", e.status, e.version, e.bytes,
      e.created_at, e.updated_at, array_to_string(e.via, ' ')${last}) AS head`;
}

/** Returns the counts of a level from any of its rows. Without a row, a type is not current. */
export function countsOf(row: LevelRow | undefined): LevelCounts {
  const [isCurrent, references, lookUps] = row?.head.split(',', 3) ?? [];
  return { isCurrent: isCurrent === 't', references: Number(references), lookUps: Number(lookUps) };
}

/** Returns the entries that the rows of a level have. */
export function foundEntries(rows: readonly (LevelRow & Partial<DraftedLevelRow>)[]): FoundEntry[] {
  return rows.flatMap(({ head, fields, draft = null, bases = null }): FoundEntry | [] => {
    const [, , , id, typeId = '', status, version, bytes, created = '', updated = '', via = '', published] =
      head.split(',');
    if (id === undefined) return [];
    return {
      id,
      typeId,
      status: status as EntryStatus,
      version: Number(version),
      bytes: Number(bytes),
      createdAt: isoTimestamp(created),
      updatedAt: isoTimestamp(updated),
      publishedAt: published === undefined ? null : isoTimestamp(published),
      via: via.split(' ').map(Number),
      fields,
      draft,
      bases,
    };
  });
}
