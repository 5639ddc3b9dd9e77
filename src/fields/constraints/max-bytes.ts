import type { ValueError } from '../../errors/problem.js';
import type { FieldDefinition } from '../field-definition.js';
import type { Constraint } from './constraint.js';

declare module '../field-definition.js' {
  interface ConstraintAttributes {
    /** The bytes that each file may have. */
    max_bytes: number;
  }
}

const DEFAULT_MAX_BYTES = 10 * 1024 * 1024;

export const maxBytes: Constraint = {
  checkAttribute(value, check) {
    if (typeof value !== 'number') return check.fault('type', 'must be an integer');
    if (!Number.isSafeInteger(value) || value < 1) {
      check.fault('format', `must be an integer from 1 to ${Number.MAX_SAFE_INTEGER}`);
    }
  },
  schema: () => ({
    type: 'integer',
    minimum: 1,
    description:
      'The number of bytes that each file may have. The default is 10 MiB. It must not exceed `MEDIA_MAX_BYTES` of the service (25 MiB by default).',
    example: 5_242_880,
  }),
  // The value is the name of the file. Its bytes are counted while they arrive (see `maxBytesOf`).
  values: { of: 'nothing' },
  change: { concerns: 'nothing' },
};

/** Bytes that each file of the field may have. `largest` is `MEDIA_MAX_BYTES`. */
export function maxBytesOf({ max_bytes: own = DEFAULT_MAX_BYTES }: FieldDefinition, largest: number): number {
  return Math.min(own, largest);
}

/** Returns an error for each field whose files may be larger than the service allows. */
export function checkFileLimits(fields: readonly FieldDefinition[], largest: number): ValueError[] {
  return fields.flatMap(({ max_bytes: own = 0 }, index) => {
    if (own <= largest) return [];
    const message = `max_bytes must be at most ${largest}, which is the limit of the service.`;
    return [{ path: `fields.${index}.max_bytes`, code: 'max', message }];
  });
}
