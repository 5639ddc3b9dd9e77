import type { CompiledField } from '../../fields/compiled-field.js';
import type { ContractedType } from '../contracted.js';
import { comment, indented, literal, propertyName, typeMember, union } from './text.js';
import type { InterfaceNames } from './type-names.js';
import { braced, properties, schemaType, type TargetsOf } from './value-types.js';

/** The values of entries as they are read, and those of new entries. */
export function valueInterfaces({ name, schema }: ContractedType, names: InterfaceNames, targets: TargetsOf): string {
  const { fields } = schema;
  return `${comment(name)}export interface ${names.fields} ${braced(properties(fields, 'read', targets))}

${comment(`What a new entry of ${names.fields} takes.`)}export interface ${names.values} ${braced(properties(fields, 'written', targets))}
`;
}

/** What the client knows of a content type, as a property of `types`. */
export function typeProperty(
  { slug, name, schema }: ContractedType,
  names: InterfaceNames,
  targets: TargetsOf,
): string {
  const { ownFields: fields, fieldsAtPaths } = schema;
  const leafFields = schema.leafFields.filter(({ locale }) => locale === undefined);
  const references = leafFields.filter(isReference);
  const parts = {
    fields: names.fields,
    values: names.values,
    filters: braced(
      fieldsAtPaths
        .filter(({ filterable }) => filterable)
        .map((field) => filter(field, targets))
        .join(''),
    ),
    sort: union(fieldsAtPaths.filter(({ sortable }) => sortable).map(pathLiteral)),
    unique: union(fields.filter(({ unique }) => unique).map(pathLiteral)),
    references: braced(referenceLines(references, targets)),
    media: union(leafFields.filter(({ definition }) => definition.type === 'media').map(pathLiteral)),
    ...(schema.isLocalized && { localized: union([...schema.localized].map(literal)) }),
  };
  const lines = Object.entries(parts).map(([part, type]) => typeMember(part, type));
  return `${comment(name)}${literal(slug)}: {\n${indented(lines.join(''))}};\n`;
}

function isReference({ definition }: CompiledField): boolean {
  return definition.type === 'reference';
}

function pathLiteral({ path }: CompiledField): string {
  return literal(path);
}

/** The value that a filter takes, and what else it can do. */
function filter(field: CompiledField, targets: TargetsOf): string {
  const { path, textual, definition, type } = field;
  const isText = definition.type === 'media' || isReference(field);
  const value = definition.options
    ? union(definition.options.map(literal))
    : isText
      ? 'string'
      : schemaType(type.value, 'read');
  const slugs = isReference(field) ? targets(field) : [];
  const marks = [textual && 'text: true', slugs.length > 0 && `reference: ${union(slugs.map(literal))}`].filter(
    Boolean,
  );
  return `${propertyName(path)}: { ${[`value: ${value}`, ...marks].join('; ')} };\n`;
}

/** One line for each path. Fields of several blocks may have one path, and lead to different content types. */
function referenceLines(references: readonly CompiledField[], targets: TargetsOf): string {
  const byPath = new Map<string, string[]>();
  for (const field of references) byPath.set(field.path, [...(byPath.get(field.path) ?? []), ...targets(field)]);
  return [...byPath]
    .filter(([, slugs]) => slugs.length > 0)
    .map(([path, slugs]) => `${propertyName(path)}: ${union(slugs.map(literal))};\n`)
    .join('');
}
