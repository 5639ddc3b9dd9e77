import type { ValueError } from '../../errors/problem.js';
import type { BlockDefinition, FieldDefinition, SentDefinition } from '../../fields/field-definition.js';
import type { Renames } from '../../fields/changes/renames.js';
import type { ContentType } from '../content-type.entity.js';
import type { ValueErrorCode } from '../../errors/value-errors.js';

/**
 * Takes `renamed_from` out of the definitions of an update, at all levels. Returns an error for each that names no field of before at its
 * place, a field that is still in the list under its name, or a field that another definition names too.
 */
export function readRenames(
  sent: readonly SentDefinition[],
  { fields, retired }: Pick<ContentType, 'fields' | 'retired'>,
): { fields: FieldDefinition[]; renames: Renames; errors: ValueError[] } {
  const reading = new RenamesReading(retired);
  const read = reading.list(sent, { before: fields, path: 'fields', keyBefore: '', key: '' });
  return { fields: read, renames: reading.renames, errors: reading.errors };
}

/** A list of definitions: what it was, where the request has it, and what the keys of its fields begin with. */
interface Place {
  before: readonly FieldDefinition[];
  path: string;
  keyBefore: string;
  key: string;
}

class RenamesReading {
  readonly renames = new Map<string, string>();
  readonly errors: ValueError[] = [];

  constructor(private readonly retired: readonly FieldDefinition[]) {}

  list(sent: readonly SentDefinition[], place: Place): FieldDefinition[] {
    const { path, keyBefore, key } = place;
    const removed = this.retired.flatMap((field) => {
      const name = field.name.startsWith(keyBefore) ? field.name.slice(keyBefore.length) : '';
      return name === '' || name.includes('.') ? [] : { ...field, name };
    });
    const before = [...place.before, ...removed];
    const known = new Set(before.map(({ name }) => name));
    const staying = new Set(sent.flatMap(({ name, renamed_from }) => (renamed_from === undefined ? name : [])));
    const taken = new Set<string>();
    return sent.map(({ renamed_from: from, ...definition }, index) => {
      const { name } = definition;
      if (from !== undefined) {
        const fault = faultOf(from, name, { known, staying, taken });
        const message = `renamed_from ${fault?.predicate}.`;
        if (fault) this.errors.push({ path: `${path}.${index}.renamed_from`, code: fault.code, message });
        else this.renames.set(key + name, from);
        taken.add(from);
      }
      const earlier = before.find((field) => field.name === (from ?? name));
      const keys = { keyBefore: `${keyBefore}${from ?? name}.`, key: `${key}${name}.` };
      return this.inside(definition, earlier, { path: `${path}.${index}`, ...keys });
    });
  }

  private inside(
    definition: FieldDefinition,
    earlier: FieldDefinition | undefined,
    { path, keyBefore, key }: Omit<Place, 'before'>,
  ): FieldDefinition {
    const { fields, blocks } = definition;
    if (fields) {
      const place = { before: earlier?.fields ?? [], path: `${path}.fields`, keyBefore, key };
      return { ...definition, fields: this.list(fields, place) };
    }
    if (!blocks) return definition;
    const read = blocks.map((block, index): BlockDefinition => {
      const before = earlier?.blocks?.find(({ name }) => name === block.name)?.fields ?? [];
      const keys = { keyBefore: `${keyBefore}${block.name}.`, key: `${key}${block.name}.` };
      return { ...block, fields: this.list(block.fields, { before, path: `${path}.blocks.${index}.fields`, ...keys }) };
    });
    return { ...definition, blocks: read };
  }
}

function faultOf(
  from: string,
  name: string,
  { known, staying, taken }: Record<'known' | 'staying' | 'taken', ReadonlySet<string>>,
): { code: ValueErrorCode; predicate: string } | undefined {
  if (!known.has(from)) return { code: 'unknown_field', predicate: 'must be the name of a field of the content type' };
  if (staying.has(from) || from === name) {
    return { code: 'not_applicable', predicate: `names ${from}, which is still in the list` };
  }
  if (taken.has(from)) return { code: 'duplicate', predicate: `names ${from}, which another field was renamed from` };
  return undefined;
}
