import type { SchemaObject } from '../../fields/json-schemas/schema-object.js';

type Json = Readonly<Record<string, unknown>>;

/** What a contract adds to the document of the service. Components that several paths have are added once. */
export class ContractParts {
  readonly paths = new Map<string, Record<string, Json>>();
  readonly schemas = new Map<string, SchemaObject>();
  readonly parameters = new Map<string, Json>();
  private readonly names = new Map<string, string>();

  constructor(private readonly taken: ReadonlySet<string>) {}

  addOperation(path: string, method: string, operation: Json): void {
    const item = this.paths.get(path) ?? {};
    item[method] = operation;
    this.paths.set(path, item);
  }

  /** Adds the schema under a name that is free in every contract, and returns the reference to it. */
  shareSchema(name: string, schema: SchemaObject): SchemaObject {
    const own = this.taken.has(name) ? `${name}_` : name;
    this.schemas.set(own, schema);
    return { $ref: `#/components/schemas/${own}` };
  }

  /** Adds the parameter unless it is there, and returns the reference to it. */
  shareParameter(parameter: Json): Json {
    const text = JSON.stringify(parameter);
    const name = this.names.get(text) ?? this.freeName(pascal(String(parameter['name'])));
    this.names.set(text, name);
    this.parameters.set(name, parameter);
    return { $ref: `#/components/parameters/${name}` };
  }

  private freeName(wanted: string): string {
    let name = wanted;
    for (let number = 2; this.parameters.has(name); number++) name = `${wanted}${number}`;
    return name;
  }
}

/** `IfNoneMatch` for `If-None-Match`, `EntryId` for `entry_id`. */
export function pascal(name: string): string {
  return name.replace(/(?:^|[-_])([a-z])?/gi, (_match, letter = '') => String(letter).toUpperCase());
}
