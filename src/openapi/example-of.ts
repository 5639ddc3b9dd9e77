import type { OpenAPIObject } from '@nestjs/swagger';

/** What an example is made of. References lead to the document's schemas. */
interface ExampleSchema {
  $ref?: string;
  allOf?: ExampleSchema[];
  anyOf?: ExampleSchema[];
  oneOf?: ExampleSchema[];
  example?: unknown;
  enum?: unknown[];
  type?: string | string[];
  required?: string[];
  properties?: Record<string, ExampleSchema>;
  items?: ExampleSchema;
}

/**
 * Returns an example of the schema, made of the examples of its properties. An optional property without an example is left out. Throws if a
 * part has none.
 */
export function exampleOf(document: OpenAPIObject, schema: ExampleSchema, path = ''): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.enum) return schema.enum[0];
  if (schema.$ref !== undefined) return exampleOf(document, resolve(document, schema.$ref), path);
  const [part] = schema.allOf ?? schema.oneOf ?? schema.anyOf ?? [];
  if (part) return exampleOf(document, part, path);
  if (schema.properties) {
    const { properties, required = [] } = schema;
    const shown = Object.entries(properties).filter(([name, one]) => required.includes(name) || hasExample(one));
    return Object.fromEntries(shown.map(([name, one]) => [name, exampleOf(document, one, `${path}.${name}`)]));
  }
  if (schema.items) return [exampleOf(document, schema.items, `${path}.0`)];
  if (schema.type === 'boolean') return true;
  throw new Error(`The property${path} has no example.`);
}

function hasExample({ example, allOf, $ref }: ExampleSchema): boolean {
  return (example !== undefined && example !== null) || allOf !== undefined || $ref !== undefined;
}

function resolve({ components }: OpenAPIObject, reference: string): ExampleSchema {
  const name = reference.split('/').at(-1) ?? '';
  const schema = components?.schemas?.[name];
  if (!schema) throw new Error(`The document has no schema ${name}.`);
  return schema;
}
