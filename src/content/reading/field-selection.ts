import { heavyWork, isHeavy } from '../../admission/heavy-work.js';
import type { SlicedWork } from '../../admission/sliced-work.js';
import { markPath, markWritten } from '../../fields/formats/media-url.js';
import type { Schema } from '../../fields/schema.js';
import { parseSliced } from '../../json/parse-sliced.js';
import { selectMembers } from '../../json/select-members.js';
import { stringifySliced } from '../../json/stringify-sliced.js';
import { mapLeaves } from '../map-leaves.js';

/** The media fields whose values are shown in full. */
export interface ShownFiles {
  schema: Schema;
  paths: ReadonlySet<string>;
}

/** Entries that show only these fields; all if `select` is undefined. `fields` is JSON. */
export interface Selected {
  fields: string;
  select?: ReadonlySet<string>;
  files?: ShownFiles;
}

/** Returns the JSON of what each of the entries shows. Much JSON takes turns with that of other tenants. */
export async function selectedFields(share: string, entries: readonly Selected[]): Promise<string[]> {
  if (entries.every(({ select, files }) => !select && !files)) return entries.map(({ fields }) => fields);
  const steps = selectSliced(entries);
  const size = entries.reduce((sum, { fields, select, files }) => sum + (select || files ? fields.length : 0), 0);
  return heavyWork.runIf(isHeavy(size), share, steps);
}

function* selectSliced(entries: readonly Selected[]): SlicedWork<string[]> {
  const texts: string[] = [];
  for (const { fields, select, files } of entries) {
    const selected = select ? yield* selectMembers(fields, select) : fields;
    texts.push(files ? yield* withFullMarks(selected, files) : selected);
    yield;
  }
  return texts;
}

/** Marks the values of these media fields as such that are shown in full (`FullMedia`). */
function* withFullMarks(fields: string, { schema, paths }: ShownFiles): SlicedWork<string> {
  const values = yield* parseSliced(fields);
  const marked = yield* mapLeaves(schema, 'media', values, (value, _path, field) =>
    markPath(value, paths.has(field.path)),
  );
  return markWritten(yield* stringifySliced(marked as object));
}
