import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { fold } from '../fields/text.js';

/** A value of a media field that holds a url. */
export interface MediaUse {
  typeId: string;
  entryId: string;
  field: string;
}

/** What the index sorts by of a text. */
const INDEXED = 128;

/** Looks through the index of every media field that the tenant's types have now; `$4` makes sure, since the index folds and cuts. */
const FIND_USES = {
  name: 'media_usage.find',
  text: `SELECT DISTINCT t.id AS "typeId", v.entry_id AS "entryId", f.definition ->> 'name' AS field
    FROM content_types t
    CROSS JOIN LATERAL json_array_elements(t.fields) AS f (definition)
    CROSS JOIN unnest($2::text[], $3::text[]) AS range (start, below)
    JOIN entry_values v ON v.tenant_id = $1 AND v.content_type_id = t.id
      AND v.field = (f.definition ->> 'name') || CASE WHEN f.definition ->> 'multiple' = 'true' THEN '[]' ELSE '' END
      AND v.sort_key >= range.start AND v.sort_key < range.below
    JOIN entries e ON e.tenant_id = $1 AND e.content_type_id = t.id AND e.id = v.entry_id
    WHERE t.tenant_id = $1 AND f.definition ->> 'type' = 'media'
      AND strpos((e.fields -> (f.definition ->> 'name'))::text, $4) > 0
    LIMIT $5`,
};

/** Tells which entries use a file, so that the room that keeps files need not know how entries are stored. */
@Injectable()
export class MediaUsage {
  constructor(private readonly database: Database) {}

  /** Up to `limit` uses of urls that begin with one of `urls` and hold `mark`, which no other file's url does. */
  async find(
    tenantId: string,
    { urls, mark, limit }: { urls: readonly string[]; mark: string; limit: number },
  ): Promise<MediaUse[]> {
    const starts = urls.map((url) => fold(url).slice(0, INDEXED));
    const ends = starts.map((start) => `${start}\u{10ffff}`);
    return this.database.query<MediaUse>(tenantId, FIND_USES, [starts, ends, mark, limit]);
  }
}
