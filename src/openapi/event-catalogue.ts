import type { OpenAPIObject } from '@nestjs/swagger';
import { documentedEvents } from './event-schemas.js';
import { standaloneSchema } from './standalone-schema.js';

/** A type of event as the catalogue lists it. */
interface CataloguedEvent {
  type: string;
  description: string;
  /** JSON Schema 2020-12 of the whole body, without references to anything outside of it. */
  schema: object;
  example: object;
}

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** Returns every type of event that the document has. */
export function eventCatalogue(document: OpenAPIObject): CataloguedEvent[] {
  return documentedEvents(document).map(({ type, description, schema, example }) => ({
    type,
    description,
    schema: { $schema: DIALECT, ...standaloneSchema(document, document.components?.schemas?.[schema]) },
    example,
  }));
}
