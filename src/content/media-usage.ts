import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { statement } from '../database/statement.js';
import { liveFields } from './entries/live-fields.js';
import { fieldsOf } from './fields.sql.js';
import { SORTED_CODE_POINTS } from '../fields/sort-key.js';
import { firstCodePoints, fold } from '../fields/text.js';

/** A value of a media field that contains a URL. `field` is the path of the field: `cover`, `sections.image`. */
export interface MediaUse {
  typeId: string;
  entryId: string;
  field: string;
}

interface Search {
  /** The ranges of index keys that contain the URLs of the file, as two arrays of equal length. */
  starts: readonly string[];
  ends: readonly string[];
  idInUrl: string;
  limit: number;
}

/** Searches the index of every media field of the tenant's current types, those of groups and blocks included. The index folds and cuts URLs, so each value is tested too. */
const FIND_USES = statement<Search, MediaUse>()(
  'media_usage.find',
  `SELECT DISTINCT f.type AS "typeId", v.entry_id AS "entryId", f.name AS field
    FROM (SELECT * FROM ${fieldsOf('position(\'"media"\' IN t.fields::text) > 0')} f WHERE f.definition ->> 'type' = 'media' OFFSET 0) f
    CROSS JOIN unnest(:starts::text[], :ends::text[]) AS range (start, below)
    JOIN entry_values v ON v.tenant_id = :tenantId AND v.content_type_id = f.type AND v.field = f.index_field
      AND v.sort_key >= range.start AND v.sort_key < range.below
    JOIN entries e ON e.tenant_id = :tenantId AND e.content_type_id = f.type AND e.id = v.entry_id
    WHERE strpos(((${liveFields('e', 'f.type')}) -> split_part(f.name, '.', 1))::text, :idInUrl) > 0
    LIMIT :limit`,
);

/** Finds the entries that use a file, so that the media module does not depend on how entries are stored. */
@Injectable()
export class MediaUsage {
  constructor(private readonly database: Database) {}

  /** Returns at most `limit` uses of URLs that begin with one of `urls` and contain `idInUrl`, which no other file's URL contains. */
  async find(
    tenantId: string,
    { urls, idInUrl, limit }: { urls: readonly string[]; idInUrl: string; limit: number },
  ): Promise<MediaUse[]> {
    const starts = urls.map((url) => firstCodePoints(fold(url), SORTED_CODE_POINTS));
    const ends = starts.map((start) => `${start}\u{10ffff}`);
    return this.database.query(tenantId, FIND_USES, { starts, ends, idInUrl, limit });
  }
}
