import type { SlicedWork } from '../../admission/sliced-work.js';
import type { Schema } from '../schema.js';
import type { SchemaObject } from './schema-object.js';
import { ValueSchemas } from './value-schemas.js';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** The JSON Schema of the values of a new record, with everything that it refers to in its `$defs`. */
export function* recordSchema(schema: Schema, notes: SchemaObject = {}): SlicedWork<SchemaObject> {
  const definitions: Record<string, SchemaObject> = {};
  const schemas = new ValueSchemas('create', (name, { format: _none, ...shared }) => {
    definitions[name] = shared;
    return { $ref: `#/$defs/${name}` };
  });
  const values = yield* schemas.of(schema);
  const names = Object.keys(definitions).sort();
  return {
    $schema: DIALECT,
    ...notes,
    ...values,
    ...(names.length > 0 && { $defs: Object.fromEntries(names.map((name) => [name, definitions[name]])) }),
  };
}
