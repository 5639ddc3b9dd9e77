import type { SlicedWork } from '../../admission/sliced-work.js';
import { markWritten } from '../../fields/formats/media-url.js';
import { readName } from '../../fields/localized/localized-names.js';
import type { Schema } from '../../fields/schema.js';
import type { CompiledType } from '../schemas.js';
import { isSameSliced } from '../../json/is-same-sliced.js';
import { parseSliced } from '../../json/parse-sliced.js';
import { stringifySliced } from '../../json/stringify-sliced.js';
import type { EntryStatus } from '../entries/entry.entity.js';
import { type StoredAuthor, storedAuthor } from '../../access/member-names.js';
import type { Author } from '../../http/caller.js';
import { defaultJson } from '../locales/shown-json.js';
import type { VersionRow, VersionValues } from './entry-history.sql.js';
import type { EntryFields } from '../entries/writes/entry-values.js';
import { type LoggedMove, ValueMoves } from '../schema-changes/value-moves.js';
import { markMedia } from '../values-json.js';

export const VERSION_ACTIONS = ['created', 'updated', 'published', 'unpublished', 'restored', 'scheduled'] as const;

/** What made a version. */
export type VersionAction = (typeof VERSION_ACTIONS)[number];

interface VersionSummary {
  action: VersionAction;
  status: EntryStatus;
  /** The fields whose values differ from the version before. */
  changed: readonly string[];
  author: Author;
}

/** As it is stored. */
type StoredSummary = Omit<VersionSummary, 'author'> & StoredAuthor;

/** The summary of a version that no history lists, because its entry is gone. */
export const UNLISTED = '{}';

/** The summary of a version, as JSON text. The list of versions adds `version` and `at`. */
export function summaryOf({ action, status, changed, author }: VersionSummary): string {
  const summary: StoredSummary = { action, status, changed, ...storedAuthor(author) };
  return JSON.stringify(summary);
}

function* valuesOf({ data, stored }: VersionValues): SlicedWork<EntryFields> {
  if (stored !== null) return (yield* parseSliced(stored)) as EntryFields;
  return ((yield* parseSliced(data)) as { fields: EntryFields }).fields;
}

/** The values of a version under the names and in the types that its fields have today. A value that does not convert stays as it is. */
export function* movedValues(version: Pick<VersionRow, 'moves'> & VersionValues): SlicedWork<EntryFields> {
  const { moves } = version;
  let values = yield* valuesOf(version);
  for (const change of movesOf(moves)) values = yield* change.apply(values);
  return values;
}

function movesOf(moves: string | null): ValueMoves[] {
  return moves === null ? [] : (JSON.parse(moves) as LoggedMove[][]).map((log) => ValueMoves.ofLog(log));
}

/** The values of a version that are values of the type's fields today, in the order of the fields. */
export function* fittingValues(schema: Schema, values: EntryFields): SlicedWork<EntryFields> {
  return yield* schema.keptSliced(values, true);
}

interface FieldDifference {
  field: string;
  /** Of a localized field. */
  locale?: string;
  /** Absent if there was no value. */
  before?: unknown;
  after?: unknown;
}

type Versioned = Pick<CompiledType, 'schema' | 'locales'>;

/** The fields whose values differ, in the order of the type's fields. Of a localized field, each locale by itself. */
export function* differences(
  { schema, locales }: Versioned,
  before: EntryFields,
  after: EntryFields,
): SlicedWork<FieldDifference[]> {
  const differing: FieldDifference[] = [];
  for (const { name } of schema.fields) {
    const [had, has] = [before[name], after[name]];
    if (yield* isSameSliced(had, has)) continue;
    const { own: field, locale = locales?.default } = readName(name);
    const where = schema.localized.has(field) ? { field, locale } : { field };
    differing.push({ ...where, ...(had !== undefined && { before: had }), ...(has !== undefined && { after: has }) });
    yield;
  }
  return differing;
}

/** The same as JSON text. */
export function* differencesJson(type: Versioned, before: EntryFields, after: EntryFields): SlicedWork<string> {
  const marked = [yield* markMedia(type.schema, before), yield* markMedia(type.schema, after)] as const;
  return markWritten(yield* stringifySliced(yield* differences(type, ...marked)));
}

/**
 * The patch that makes the stored values of an entry those of a version. Null removes a value. Undefined if nothing differs.
 * Names are stored ones. With `locale`, only the values of that locale are restored.
 */
export function* patchTo(
  { schema, locales }: Versioned,
  stored: string,
  version: Pick<VersionRow, 'moves'> & VersionValues,
  locale?: string,
): SlicedWork<EntryFields | undefined> {
  const before = (yield* parseSliced(stored)) as EntryFields;
  const after = yield* schema.keptSliced(yield* movedValues(version));
  const patch: EntryFields = {};
  for (const { name } of schema.fields) {
    const { own, locale: code } = readName(name);
    // A version from before the field was localized knows nothing of other locales.
    if (code !== undefined && version.stored === null) continue;
    const isOf = schema.localized.has(own) && (code ?? locales?.default) === locale;
    if ((locale === undefined || isOf) && !(yield* isSameSliced(before[name], after[name]))) {
      patch[name] = after[name] ?? null;
    }
    yield;
  }
  return Object.keys(patch).length > 0 ? patch : undefined;
}

/** Whether the summary is that of the version that created the entry. */
export function isFirst(summary: string): boolean {
  return (JSON.parse(summary) as Partial<StoredSummary>).action === 'created';
}

/** A version as the list of versions shows it. */
export function presentVersion(
  { version, summary, at, moves }: VersionRow,
  values?: { fields: string; more?: string },
): string {
  const added = values ? `,"fields":${defaultJson(values.fields)}${values.more ?? ''}` : '';
  const current = moves === null ? summary : movedSummary(summary, moves);
  return `{"version":${version},${current.slice(1, -1)},"at":"${at}"${added}}`;
}

/** The public ID of the member who made the version; undefined if a key made it. */
export function memberOf({ summary }: VersionRow): string | undefined {
  return (JSON.parse(summary) as Partial<StoredSummary>).by_user;
}

/** The version with the name of the member who made it. */
export function withName<Row extends VersionRow>(row: Row, name: string): Row {
  return { ...row, summary: JSON.stringify({ ...(JSON.parse(row.summary) as StoredSummary), by: name }) };
}

/** The summary with the names that its fields have today. */
function movedSummary(summary: string, moves: string): string {
  const { changed, ...others } = JSON.parse(summary) as StoredSummary;
  const names = movesOf(moves).reduce<readonly string[]>(
    (earlier, change) => earlier.flatMap((name) => change.nameOf(name) ?? []),
    changed,
  );
  return JSON.stringify({ ...others, changed: names });
}
