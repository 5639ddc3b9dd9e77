import type { Value } from './database.js';

/** The values of a statement that is written on the fly. `$1` is the tenant's id, which the executor binds itself. */
export class Bindings {
  readonly values: Value[] = [];

  /** Adds a value; returns its place (`$2` for the first). */
  add(value: Value): string {
    return `$${this.values.push(value) + 1}`;
  }
}
