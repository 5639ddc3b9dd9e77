import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { statement } from '../database/statements/statement.js';
import { liveFields } from './entries/live-fields.js';
import { fieldsSql } from './fields.sql.js';
import type { Caller } from '../http/caller.js';
import type { ListMeta, Page } from '../lists/page.js';
import { type EntryField, listEntryFields } from './entry-fields-list.js';
import { keepToTypes, type OfTypes } from './narrowed-lists.js';

/** A value of a media field that names a file. `field` is the path of the field: `cover`, `sections.image`. */
export interface MediaUse extends EntryField {
  typeId: string;
}

/** Which uses a caller sees. */
interface SeenUses extends OfTypes {
  publishedOnly: boolean;
}

interface Search {
  /** The range of index keys that contains the paths of the file. */
  start: string;
  end: string;
  /** The public ID, which only paths of this file contain. */
  mediaId: string;
}

/** Searches the index of every media field of the tenant's current types, those of groups and blocks included. The index folds and cuts paths. */
const INDEXED =
  `(SELECT * FROM ${fieldsSql('position(\'"media"\' IN t.fields::text) > 0')} f WHERE f.definition ->> 'type' = 'media' OFFSET 0) f
    JOIN entry_values v ON v.tenant_id = :tenantId AND v.content_type_id = f.type AND v.field = f.index_field
      AND v.sort_key >= :start AND v.sort_key < :end` as const;

/** Whether the value in the field `name` of the entry `e` of the type `type` really has the path. */
const isUse = <const Type extends string, const Name extends string>(type: Type, name: Name) =>
  `strpos(((${liveFields('e', type)}) -> split_part(${name}, '.', 1))::text, :mediaId) > 0` as const;

const FIND_USE = statement<Search, object>()(
  'media_usage.find',
  `SELECT 1
    FROM ${INDEXED}
    JOIN entries e ON e.tenant_id = :tenantId AND e.content_type_id = f.type AND e.id = v.entry_id
    WHERE ${isUse('f.type', 'f.name')}
    LIMIT 1`,
);

/** The uses that the caller sees, in the order of the list. Values are read when a row is needed, so a page reads only its own. */
const seenUses = <const Place extends string>(place: Place) =>
  `(
      SELECT DISTINCT v.entry_id, f.name COLLATE "C" AS field, f.type FROM ${INDEXED}
      WHERE ${keepToTypes('f.type')} ${place}
      ORDER BY v.entry_id DESC, field
      OFFSET 0
    ) u CROSS JOIN LATERAL (
      SELECT 1 FROM entries e
      WHERE e.tenant_id = :tenantId AND e.content_type_id = u.type AND e.id = u.entry_id
        AND (NOT :publishedOnly::boolean OR e.status = 'published') AND ${isUse('u.type', 'u.field')}
      LIMIT 1
    ) e` as const;

const COLUMNS = 'u.type AS "typeId", u.entry_id AS "entryId", u.field' as const;
const ORDER = 'ORDER BY u.entry_id DESC, u.field' as const;

const PAGE_OF_USES = statement<Search & SeenUses & { limit: number; offset: number }, MediaUse>()(
  'media_usage.page',
  `SELECT ${COLUMNS} FROM ${seenUses('')} ${ORDER} LIMIT :limit::bigint OFFSET :offset::bigint`,
);

const USES_AFTER = statement<Search & SeenUses & { limit: number; entryId: string; field: string }, MediaUse>()(
  'media_usage.after',
  `SELECT ${COLUMNS}
    FROM ${seenUses('AND v.entry_id <= :entryId::uuid AND (v.entry_id < :entryId::uuid OR f.name COLLATE "C" > :field::text)')}
    ${ORDER} LIMIT :limit`,
);

const COUNT_USES = statement<Search & SeenUses, { total: number }>()(
  'media_usage.count',
  `SELECT count(*) AS total FROM ${seenUses('')}`,
);

/** Finds the entries that use a file, so that the media module does not depend on how entries are stored. */
@Injectable()
export class MediaUsage {
  constructor(private readonly database: Database) {}

  /** Whether an entry uses the file, also one that a caller does not see. */
  async isUsed(tenantId: string, mediaId: string): Promise<boolean> {
    const uses = await this.database.query(tenantId, FIND_USE, searchFor(tenantId, mediaId));
    return uses.length > 0;
  }

  /**
   * Returns a page of the uses that the caller sees, the newest entry first. An entry that uses the file in several fields is listed for each
   * of them. Uses in drafts beside the live values do not count.
   */
  async list(caller: Caller, mediaId: string, page: Page): Promise<{ rows: MediaUse[]; meta: ListMeta }> {
    const { tenantId, publishedOnly, visibleTypes } = caller;
    const search = { ...searchFor(tenantId, mediaId), publishedOnly, types: visibleTypes ? [...visibleTypes] : null };
    const read = (limit: number, offset: number) =>
      this.database.query(tenantId, PAGE_OF_USES, { ...search, limit, offset });
    return listEntryFields(page, `media usage ${mediaId}`, {
      page: read,
      first: (limit) => read(limit, 0),
      after: (last, limit) => this.database.query(tenantId, USES_AFTER, { ...search, ...last, limit }),
      count: async () => (await this.database.query(tenantId, COUNT_USES, search))[0]?.total ?? 0,
    });
  }
}

function searchFor(tenantId: string, mediaId: string): Search {
  const start = `/media/${tenantId}/${mediaId}`;
  return { start, end: `${start}\u{10ffff}`, mediaId };
}
