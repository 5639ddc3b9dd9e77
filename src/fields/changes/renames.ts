import type { CompiledField, FieldList } from '../compiled-field.js';

/**
 * Maps the keys (see `CompiledField`) of fields after a change of their definitions to the own names that they had before: `seo.title` to
 * `headline`.
 */
export type Renames = ReadonlyMap<string, string>;

/** The fields of a record, of a group or of a kind of block. */
export type Fields = Pick<FieldList, 'fields' | 'field'>;

/** The own name that a field has had until now. */
export function nameBefore({ key, name }: Pick<CompiledField, 'key' | 'name'>, renames: Renames): string {
  return renames.get(key) ?? name;
}

/** The fields by the own names that they have had until now. */
export function byNamesBefore({ fields }: Fields, renames: Renames): ReadonlyMap<string, CompiledField> {
  return new Map(fields.map((field) => [nameBefore(field, renames), field]));
}

/** The key after the change of a field, a removed field or a block. `next` are the fields after the change. */
export function keyAfter(key: string, next: Fields, renames: Renames): string {
  return renamedKey(key, next, (list, name) => {
    const field = byNamesBefore(list, renames).get(name);
    return field && { field, name: field.name };
  });
}

/** The key before the change of a field that there is after it. */
export function keyBefore(key: string, next: Fields, renames: Renames): string {
  return renamedKey(key, next, (list, name) => {
    const field = list.field(name);
    return field && { field, name: nameBefore(field, renames) };
  });
}

/** Replaces the names in a key from the outermost field to the innermost one that is known. Blocks keep their names. */
function renamedKey(
  key: string,
  outermost: Fields,
  find: (list: Fields, name: string) => { field: CompiledField; name: string } | undefined,
): string {
  const names = key.split('.');
  const renamed: string[] = [];
  let list: Fields | undefined = outermost;
  while (list && renamed.length < names.length) {
    const found = find(list, names[renamed.length] ?? '');
    if (!found) break;
    renamed.push(found.name);
    const [part] = found.field.parts;
    if (!part || part.block === undefined) list = part;
    else {
      const block = names[renamed.length];
      list = found.field.parts.find((one) => one.block === block);
      if (list && block !== undefined) renamed.push(block);
    }
  }
  return [...renamed, ...names.slice(renamed.length)].join('.');
}
