import { type FieldDefinition, valueType } from '../fields/field-definition.js';
import type { Form, Reindexing } from './form.entity.js';
import { sectionOfSpam, sectionWithout } from './submissions/submission-index.js';

/** At most this many names of former fields are remembered, the most recent ones. */
export const MAX_FORMER = 500;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** A submission that was checked against the fields of before is committed within this time, or never. */
const LATE_MS = 40_000;

type Changed = Pick<Form, 'fields' | 'indexNames' | 'former' | 'reindexing'>;

/**
 * Returns what a new list of fields changes in a form. A field that is added, or whose type changes, gets another name in the index of
 * submissions, because rows under the old name may be missing or sort otherwise.
 */
export function changedFields(before: Changed, fields: FieldDefinition[], version: number): Changed {
  const old = new Map(before.fields.map((field) => [field.name, field]));
  const names = new Set(fields.map(({ name }) => name));
  const moved = fields.filter((field) => !isIndexedAlike(old.get(field.name), field)).map(({ name }) => name);
  const gone = [...old.keys()].filter((name) => !names.has(name));
  const former = [...new Set([...(before.former ?? []), ...gone])].filter((name) => !names.has(name));
  const indexNames = Object.fromEntries([
    ...Object.entries(before.indexNames ?? {}).filter(([name]) => names.has(name)),
    ...moved.map((name) => [name, `${name}~${version}`] as const),
  ]);
  const left = [...gone, ...moved.filter((name) => old.has(name))];
  return {
    fields,
    indexNames: Object.keys(indexNames).length > 0 ? indexNames : null,
    former: former.length > 0 ? former.slice(-MAX_FORMER) : null,
    reindexing: moved.length + gone.length > 0 ? reindexing(before, { names, moved, left }) : before.reindexing,
  };
}

function reindexing(
  before: Changed,
  { names, moved, left }: { names: ReadonlySet<string>; moved: readonly string[]; left: readonly string[] },
): Reindexing {
  const stale = left
    .map((name) => before.indexNames?.[name] ?? name)
    .flatMap((name) => {
      const sections = [name, `${name}[]`, sectionWithout(name)];
      return [...sections, ...sections.map(sectionOfSpam)];
    });
  return {
    names: [...new Set([...(before.reindexing?.names ?? []), ...moved])].filter((name) => names.has(name)),
    stale: [...(before.reindexing?.stale ?? []), ...stale],
    after: FIRST_ID,
    lateAt: new Date(Date.now() + LATE_MS).toISOString(),
  };
}

function isIndexedAlike(before: FieldDefinition | undefined, after: FieldDefinition): boolean {
  return before !== undefined && valueType(before) === valueType(after);
}
