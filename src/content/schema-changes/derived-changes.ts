import type { FieldChange } from '../../fields/changes/changes.js';
import type { DerivedField } from '../../fields/localized/derived-fields.js';
import type { Schema } from '../../fields/schema.js';

/** A derived field of the index by its name. */
export interface DerivedChange {
  name: string;
  before?: DerivedField;
  after?: DerivedField;
}

export function fieldsOfDerived({ before, after }: DerivedChange): Pick<FieldChange, 'before' | 'after'> {
  return { before: before?.field, after: after?.field };
}

/** The derived fields that come, go, have other sources, or whose sources change. All of them, if the locales change. */
export function derivedChanges(old: Schema, next: Schema, changes: readonly FieldChange[]): DerivedChange[] {
  const [before, after] = [old, next].map(({ derived }) => new Map(derived.map((one) => [one.field.name, one])));
  const changed = new Set(changes.flatMap((one) => [one.before?.name ?? [], one.after?.name ?? []].flat()));
  const isSame = (had: DerivedField | undefined, has: DerivedField | undefined) =>
    had !== undefined &&
    has !== undefined &&
    had.field.indexName === has.field.indexName &&
    had.sources?.join() === has.sources?.join() &&
    !(has.sources?.some((name) => changed.has(name)) ?? changed.size > 0);
  const names = new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])]);
  return [...names].flatMap((name) => {
    const [had, has] = [before?.get(name), after?.get(name)];
    return isSame(had, has) ? [] : { name, before: had, after: has };
  });
}
