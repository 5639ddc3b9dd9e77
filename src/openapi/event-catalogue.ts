import type { OpenAPIObject } from '@nestjs/swagger';
import { documentedEvents } from './event-schemas.js';

/** A type of event as the catalogue lists it. */
interface CataloguedEvent {
  type: string;
  description: string;
  /** JSON Schema 2020-12 of the whole body, without references to anything outside of it. */
  schema: object;
  example: object;
}

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
const COMPONENTS = '#/components/schemas/';

/** Returns every type of event that the document has. */
export function eventCatalogue(document: OpenAPIObject): CataloguedEvent[] {
  return documentedEvents(document).map(({ type, description, schema, example }) => ({
    type,
    description,
    schema: standaloneSchema(document, schema),
    example,
  }));
}

/** The schema with everything that it refers to in its `$defs`. */
function standaloneSchema({ components }: OpenAPIObject, name: string): object {
  const definitions: Record<string, unknown> = {};
  const add = (needed: string): unknown => {
    const { value, references } = asJsonSchema(components?.schemas?.[needed]);
    for (const other of references) {
      if (other in definitions) continue;
      definitions[other] = undefined;
      definitions[other] = add(other);
    }
    return value;
  };
  const root = add(name) as object;
  return { $schema: DIALECT, ...root, ...(Object.keys(definitions).length > 0 && { $defs: definitions }) };
}

/** Translates what is OpenAPI's own: references to components, and `example`. Returns the names of the components, too. */
function asJsonSchema(schema: unknown): { value: unknown; references: Set<string> } {
  const references = new Set<string>();
  const translate = (value: unknown, isProperties = false): unknown => {
    if (Array.isArray(value)) return value.map((item) => translate(item));
    if (value === null || typeof value !== 'object') return value;
    const members = Object.entries(value).filter(([key]) => isProperties || !OWN_KEYWORDS.includes(key));
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
