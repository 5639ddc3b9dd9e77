import type { OpenAPIObject } from '@nestjs/swagger';

const REFERENCE = '#/components/schemas/';

/** Names the schemas for what they are: the schema of `EntryDto` is `Entry`. Throws if two schemas would get the same name. */
export function nameSchemas(document: OpenAPIObject): OpenAPIObject {
  const names = Object.keys(document.components?.schemas ?? {}).map(schemaName);
  const twice = names.filter((name, index) => names.indexOf(name) < index);
  if (twice.length > 0) throw new Error(`Two schemas have the name ${twice.join(', ')}.`);
  const renamed = rename(document) as OpenAPIObject;
  const schemas = Object.entries(renamed.components?.schemas ?? {});
  return {
    ...renamed,
    components: {
      ...renamed.components,
      schemas: Object.fromEntries(schemas.map(([name, schema]) => [schemaName(name), schema])),
    },
  };
}

/** Returns the name of the schema of a class. */
export function schemaName(schema: string): string {
  return schema.replace(/Dto$/, '');
}

/** Renames the references in a value, in a copy. */
function rename(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rename);
  if (typeof value === 'string') return value.startsWith(REFERENCE) ? schemaName(value) : value;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, rename(member)]));
}
