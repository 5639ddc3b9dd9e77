import type { Value } from './value.js';

/** A statement whose text depends on the request, with the values of `$2`, `$3`, … `$1` is the tenant's ID, which the executor binds. */
export interface Composed {
  readonly text: string;
  readonly values: readonly Value[];
}

/** Collects the values of a composed statement. */
export class Bindings {
  readonly values: Value[] = [];

  /** Adds a value and returns its placeholder (`$2` for the first). */
  add(value: Value): string {
    return `$${this.values.push(value) + 1}`;
  }
}
