import type { OpenAPIObject } from '@nestjs/swagger';

const COMPONENTS = '#/components/schemas/';

/** What is left out of a schema to make it small. */
interface Omissions {
  keywords?: readonly string[];
  /** Components that become any object. */
  components?: readonly string[];
}

/** Returns a schema as JSON Schema 2020-12, with everything that it refers to in its `$defs`. */
export function standaloneSchema(
  { components }: OpenAPIObject,
  schema: unknown,
  { keywords = [], components: open = [] }: Omissions = {},
): Record<string, unknown> {
  const definitions: Record<string, unknown> = {};
  const add = (part: unknown): unknown => {
    const { value, references } = asJsonSchema(part, keywords);
    for (const other of references) {
      if (other in definitions) continue;
      definitions[other] = undefined;
      definitions[other] = add(open.includes(other) ? { type: 'object' } : components?.schemas?.[other]);
    }
    return value;
  };
  const root = add(schema) as Record<string, unknown>;
  return { ...root, ...(Object.keys(definitions).length > 0 && { $defs: definitions }) };
}

/** Translates what is OpenAPI's own: references to components, and `example`. Returns the names of the components, too. */
function asJsonSchema(schema: unknown, leftOut: readonly string[]): { value: unknown; references: Set<string> } {
  const references = new Set<string>();
  const omitted = [...OWN_KEYWORDS, ...leftOut];
  const translate = (value: unknown, isProperties = false): unknown => {
    if (Array.isArray(value)) return value.map((item) => translate(item));
    if (value === null || typeof value !== 'object') return value;
    const members = Object.entries(value).filter(([key]) => isProperties || !omitted.includes(key));
    return Object.fromEntries(
      members.map(([key, member]): [string, unknown] => {
        // The names of properties are not keywords.
        if (isProperties) return [key, translate(member)];
        if (key === 'example') return ['examples', [member]];
        if (LITERALS.includes(key)) return [key, member];
        if (key !== '$ref') return [key, translate(member, key === 'properties')];
        const name = String(member).slice(COMPONENTS.length);
        references.add(name);
        return [key, `#/$defs/${name}`];
      }),
    );
  };
  return { value: translate(schema), references };
}

/** Keywords of OpenAPI that validate nothing. */
const OWN_KEYWORDS = ['discriminator', 'externalDocs', 'xml'];
/** Keywords whose values are data. */
const LITERALS = ['default', 'enum', 'const', 'examples'];
