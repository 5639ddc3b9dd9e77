import { statement } from '../../database/statements/statement.js';
import { columns, type TextArray } from '../../database/statements/text-array.js';
import { insert, part, write } from '../../database/statements/write.js';
import type { SlicedWork } from '../../admission/sliced-work.js';
import { tsvectorArray } from '../../search/tsvector.js';
import type { DocumentChanges, WrittenDocument } from './document-changes.js';

/** How the documents of one entry change (see `DocumentChanges`). */
export interface DocumentParameters {
  writtenDocuments: TextArray;
  writtenViews: TextArray;
  documentWords: Buffer;
  documentGaps: TextArray;
  documentSequences: TextArray;
  movedDocuments: TextArray;
  movedViews: TextArray;
  removedDocuments: readonly string[];
}

/** The parts of a write of one entry, after the part `entry`. */
export const WRITE_DOCUMENTS = [
  part(
    'removed_documents',
    `DELETE FROM entry_locale_words x USING entry, unnest(:removedDocuments::text[]) AS d (document)
    WHERE x.tenant_id = :tenantId AND x.content_type_id = :typeId AND x.entry_id = :entryId AND x.document = d.document`,
    { of: 'entry', needs: ['removedDocuments'] },
  ),
  part(
    'moved_documents',
    `UPDATE entry_locale_words x SET views = d.views::text[]
    FROM entry, unnest(:movedDocuments::text[], :movedViews::text[]) AS d (document, views)
    WHERE x.tenant_id = :tenantId AND x.content_type_id = :typeId AND x.entry_id = :entryId AND x.document = d.document`,
    { of: 'entry', needs: ['movedDocuments'] },
  ),
  insert(
    'put_documents',
    `INSERT INTO entry_locale_words (tenant_id, content_type_id, entry_id, document, views, words, gaps, sequence)
      SELECT :tenantId, :typeId, :entryId, d.document, d.views::text[], d.words, d.gaps, d.sequence
      FROM entry, unnest(:writtenDocuments::text[], :writtenViews::text[], :documentWords::tsvector[], :documentGaps::smallint[], :documentSequences::text[]) AS d (document, views, words, gaps, sequence)
      ON CONFLICT (tenant_id, content_type_id, entry_id, document)
      DO UPDATE SET views = excluded.views, words = excluded.words, gaps = excluded.gaps, sequence = excluded.sequence`,
    { computes: true },
  ),
] as const;

/** The part of a deletion of one entry. */
export const REMOVE_DOCUMENTS = part(
  'removed_documents',
  `DELETE FROM entry_locale_words x USING entry
    WHERE x.tenant_id = :tenantId AND x.content_type_id = :typeId AND x.entry_id = :entryId`,
  { of: 'entry' },
);

/** Removes all documents of entries. */
export const REMOVE_ALL_DOCUMENTS = statement<{ typeId: string; entryIds: readonly string[] }, never>()(
  'locale_words.remove_all',
  `DELETE FROM entry_locale_words WHERE tenant_id = :tenantId AND content_type_id = :typeId AND entry_id = ANY (:entryIds::uuid[])`,
);

export const REMOVE_DOCUMENTS_OF_TYPE = statement<{ typeId: string }, never>()(
  'locale_words.remove_of_type',
  'DELETE FROM entry_locale_words WHERE tenant_id = :tenantId AND content_type_id = :typeId',
);

/** Documents of several entries. */
interface DocumentColumns {
  typeId: string;
  ids: TextArray;
  names: TextArray;
  views: TextArray;
  words: Buffer;
  gaps: TextArray;
  sequences: TextArray;
}

export const PUT_DOCUMENTS = write<DocumentColumns, never>()('locale_words.put', [
  insert(
    'put_documents',
    `INSERT INTO entry_locale_words (tenant_id, content_type_id, entry_id, document, views, words, gaps, sequence)
      SELECT :tenantId, :typeId, d.id, d.document, d.views::text[], d.words, d.gaps, d.sequence
      FROM unnest(:ids::uuid[], :names::text[], :views::text[], :words::tsvector[], :gaps::smallint[], :sequences::text[]) AS d (id, document, views, words, gaps, sequence)
      ON CONFLICT (tenant_id, content_type_id, entry_id, document)
      DO UPDATE SET views = excluded.views, words = excluded.words, gaps = excluded.gaps, sequence = excluded.sequence`,
    { computes: true },
  ),
]);

export const MOVE_DOCUMENTS = statement<
  { typeId: string; ids: TextArray; names: TextArray; views: TextArray },
  never
>()(
  'locale_words.move',
  `UPDATE entry_locale_words x SET views = d.views::text[]
    FROM unnest(:ids::uuid[], :names::text[], :views::text[]) AS d (id, document, views)
    WHERE x.tenant_id = :tenantId AND x.content_type_id = :typeId AND x.entry_id = d.id AND x.document = d.document`,
);

export const REMOVE_NAMED_DOCUMENTS = statement<{ typeId: string; ids: TextArray; names: TextArray }, never>()(
  'locale_words.remove',
  `DELETE FROM entry_locale_words x USING unnest(:ids::uuid[], :names::text[]) AS d (id, document)
    WHERE x.tenant_id = :tenantId AND x.content_type_id = :typeId AND x.entry_id = d.id AND x.document = d.document`,
);

/** The parameters of `WRITE_DOCUMENTS`. */
export function* documentParameters({ written, moved, removed }: DocumentChanges): SlicedWork<DocumentParameters> {
  const rows = written.map((one) => rowOf('', one));
  return {
    ...(yield* columns(rows, {
      writtenDocuments: 'name',
      writtenViews: 'views',
      documentGaps: 'gaps',
      documentSequences: 'sequence',
    } as const)),
    documentWords: tsvectorArray(written.map(({ vector }) => vector)),
    ...(yield* columns(
      moved.map(({ name, views }) => ({ name, views: arrayText(views) })),
      { movedDocuments: 'name', movedViews: 'views' } as const,
    )),
    removedDocuments: removed,
  };
}

/** Bytes of documents that one statement writes, unless one document has more. */
const BATCH_BYTES = 8 * 1024 * 1024;

/** Splits documents so that one statement can write each part. */
export function documentBatches<Document extends WrittenDocument>(documents: readonly Document[]): Document[][] {
  const batches: Document[][] = [];
  let bytes = Infinity;
  for (const document of documents) {
    bytes += document.vector.length + (document.sequence?.length ?? 0);
    const batch = batches.at(-1);
    if (batch && bytes <= BATCH_BYTES) batch.push(document);
    else {
      batches.push([document]);
      bytes = document.vector.length + (document.sequence?.length ?? 0);
    }
  }
  return batches;
}

/** The parameters of `PUT_DOCUMENTS`, for documents of entries by their IDs. */
export function* documentColumns(
  documents: readonly (WrittenDocument & { id: string })[],
): SlicedWork<Omit<DocumentColumns, 'typeId'>> {
  const rows = documents.map((one) => rowOf(one.id, one));
  const names = { ids: 'id', names: 'name', views: 'views', gaps: 'gaps', sequences: 'sequence' } as const;
  return { ...(yield* columns(rows, names)), words: tsvectorArray(documents.map(({ vector }) => vector)) };
}

function rowOf(id: string, { name, views, gaps, sequence }: WrittenDocument) {
  return { id, name, views: arrayText(views), gaps: String(gaps), sequence };
}

/** An array of PostgreSQL as text. Names of views consist of the characters of codes, and a sign. */
export function arrayText(views: readonly string[]): string {
  return `{${views.join()}}`;
}
