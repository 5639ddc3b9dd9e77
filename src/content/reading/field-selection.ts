import { heavyWork, isHeavy } from '../../admission/heavy-work.js';
import type { SlicedWork } from '../../admission/sliced-work.js';
import { markPath, markWritten } from '../../fields/formats/media-url.js';
import { ownName, LOCALE_STATE } from '../../fields/localized/localized-names.js';
import type { Schema } from '../../fields/schema.js';
import { parseSliced } from '../../json/parse-sliced.js';
import { selectMembers } from '../../json/select-members.js';
import { stringifySliced } from '../../json/stringify-sliced.js';
import { isStoredInLocales, type ShownJson, type ShownLocales, shownInLocales } from '../locales/shown-json.js';
import { mapLeaves } from '../map-leaves.js';

/** The media fields whose values are shown in full. */
export interface ShownFiles {
  schema: Schema;
  paths: ReadonlySet<string>;
}

/** Entries that show only these fields; all if `select` is undefined. `fields` is JSON as it is stored. */
export interface Selected {
  fields: string;
  select?: ReadonlySet<string>;
  files?: ShownFiles;
  /** Undefined: the default locale. `stored`: all values, under the names that they are stored under. */
  locales?: ShownLocales | 'stored';
}

/** Returns the JSON of what each of the entries shows. Much JSON takes turns with that of other tenants. */
export async function selectedFields(share: string, entries: readonly Selected[]): Promise<ShownJson[]> {
  if (entries.every(isWhole)) return entries.map(({ fields }) => ({ fields, more: '' }));
  const steps = selectSliced(entries);
  const size = entries.reduce((sum, entry) => sum + (isWhole(entry) ? 0 : entry.fields.length), 0);
  return heavyWork.runIf(isHeavy(size), share, steps);
}

/** Whether it is shown as it is stored. */
function isWhole({ fields, select, files, locales }: Selected): boolean {
  return !select && !files && (locales === 'stored' || (!locales && !isStoredInLocales(fields)));
}

function* selectSliced(entries: readonly Selected[]): SlicedWork<ShownJson[]> {
  const shown: ShownJson[] = [];
  for (const { fields, select, files, locales } of entries) {
    const isSelected = (name: string) => name === LOCALE_STATE || select?.has(ownName(name)) === true;
    const selected = select ? yield* selectMembers(fields, isSelected) : fields;
    const marked = files ? yield* withFullMarks(selected, files) : selected;
    shown.push(locales === 'stored' ? { fields: marked, more: '' } : yield* shownInLocales(marked, locales));
    yield;
  }
  return shown;
}

/** Marks the values of these media fields as such that are shown in full (`FullMedia`). */
function* withFullMarks(fields: string, { schema, paths }: ShownFiles): SlicedWork<string> {
  const values = yield* parseSliced(fields);
  const marked = yield* mapLeaves(schema, 'media', values, (value, _path, field) =>
    markPath(value, paths.has(field.ownPath)),
  );
  return markWritten(yield* stringifySliced(marked as object));
}
