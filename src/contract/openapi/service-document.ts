import type { OpenAPIObject } from '@nestjs/swagger';
import { type DocumentedOperation, operationsOf } from '../../openapi/operations.js';
import type { SchemaObject } from '../../fields/json-schemas/schema-object.js';
import type { Use } from '../../fields/json-schemas/value-schemas.js';

export const SCHEMAS = '#/components/schemas/';

/** The components of the service that have the values of an entry as `fields`, with what these are for. */
const VALUES: Readonly<Record<string, Use>> = {
  Entry: 'read',
  CreatedEntry: 'read',
  UpdatedEntry: 'read',
  Draft: 'read',
  CreateEntry: 'create',
  UpdateEntry: 'update',
  SaveDraft: 'update',
};

/** Components that lead to one of these. */
const AROUND: readonly string[] = ['EntryPage', 'EntryResponse'];

/** The document of the service, as the source of what a contract adds to it. */
export class ServiceDocument {
  /** The names of its components and operations. */
  readonly taken: ReadonlySet<string>;
  private readonly operations: ReadonlyMap<string, { path: string; method: string; operation: DocumentedOperation }>;

  constructor(readonly json: OpenAPIObject) {
    this.taken = new Set(Object.keys(json.components?.schemas ?? {}));
    this.operations = new Map(operationsOf(json).map((found) => [found.operation.operationId ?? '', found]));
  }

  operation(id: string): { path: string; method: string; operation: DocumentedOperation } {
    const found = this.operations.get(id);
    if (!found) throw new Error(`The document has no operation ${id}.`);
    return found;
  }

  schema(name: string): SchemaObject {
    const schema = this.json.components?.schemas?.[name];
    if (!schema) throw new Error(`The document has no schema ${name}.`);
    return schema as SchemaObject;
  }

  /** What the property `fields` of the component is for; undefined if it has none of a content type. */
  useOf(name: string): Use | undefined {
    return VALUES[name];
  }

  /** Whether the component is another one for each content type. */
  isOfType(name: string): boolean {
    return Object.hasOwn(VALUES, name) || AROUND.includes(name);
  }
}
