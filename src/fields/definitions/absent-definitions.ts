import { runAtOnce } from '../../admission/sliced-work.js';
import type { ValueError } from '../../errors/problem.js';
import { isSameSliced } from '../../json/is-same-sliced.js';
import type { FieldDefinition, FieldKind } from '../field-definition.js';
import { placedDefinitions } from './placed-definitions.js';
import { isRecord } from '../record.js';
import { typesOf } from '../registry.js';
import { shorten } from '../formats/text.js';

/**
 * Corrects the errors of the definitions that an update sends for those of types whose extension is turned off, which `checkDefinitions` does
 * not know: one that is sent back as it is stored has no error, and one that is added or changed has the error `extension_off`. A group or
 * a list of blocks with such a definition inside counts as a whole.
 */
export function withAbsentTypes(
  errors: readonly ValueError[],
  sent: unknown,
  stored: readonly FieldDefinition[],
  kind: FieldKind,
): ValueError[] {
  const absent = absentTypesOf(stored, kind);
  if (absent.size === 0 || !Array.isArray(sent)) return [...errors];
  const before = new Map(stored.map((definition) => [definition.name, definition]));
  const types = new Set(absent.values());
  return (sent as unknown[]).reduce<ValueError[]>(
    (left, definition, index) => {
      if (!isRecord(definition)) return left;
      const name = String(definition['renamed_from'] ?? definition['name']);
      const type = absent.get(name) ?? absentTypeIn(definition, kind);
      if (type === undefined || !types.has(type)) return left;
      const path = `fields.${index}`;
      const others = left.filter((error) => error.code !== 'unsupported' || !error.path.startsWith(`${path}.`));
      return runAtOnce(isSameSliced(definition, before.get(name)))
        ? others
        : [...others, changed(path, definition, type)];
    },
    [...errors],
  );
}

/** The first unknown type of each field that has one, by the name of the field. */
function absentTypesOf(stored: readonly FieldDefinition[], kind: FieldKind): Map<string, string> {
  return new Map(
    stored.flatMap((definition) => {
      const type = absentTypeIn(definition, kind);
      return type === undefined ? [] : [[definition.name, type] as const];
    }),
  );
}

function absentTypeIn(definition: unknown, kind: FieldKind): string | undefined {
  const known = typesOf(kind);
  const types = placedDefinitions([definition]).map((placed) => placed.definition['type']);
  return types.find((type): type is string => typeof type === 'string' && !known.has(type));
}

function changed(path: string, { name }: Readonly<Record<string, unknown>>, type: string): ValueError {
  const message = `${shorten(String(name))} cannot be added or changed while the extension with the type ${type} is turned off.`;
  return { path, code: 'extension_off', message };
}
