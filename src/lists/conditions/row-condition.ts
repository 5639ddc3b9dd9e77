import type { Bindings } from '../../database/statements/bindings.js';
import type { CustomCondition } from './condition.js';

/** Holds if the SQL, which reads the row `e`, is true. No index is chosen for it: it is tested along the order of the list. */
export function rowCondition(test: (bindings: Bindings) => string, negated = false): CustomCondition {
  return {
    kind: 'custom',
    negated,
    readsRow: true,
    test: (_id, { bindings }) => test(bindings),
    negate: () => rowCondition(test, !negated),
  };
}
