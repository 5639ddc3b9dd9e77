import { FieldType } from '../field-type.js';
import { numberKey } from '../sort-key.js';
import { numberType } from './number.js';

/** For messages. */
export const INTEGERS = `an integer from -${Number.MAX_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`;

const INTEGER = /^[+-]?\d{1,16}$/;

export const integerType: FieldType = {
  ...numberType,
  value: {
    type: 'integer',
    minimum: -Number.MAX_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'An integer from -(2^53 - 1) to 2^53 - 1.',
    example: 42,
  },
  check(value, check) {
    if (Number.isSafeInteger(value)) return;
    check.fault('type', Number.isInteger(value) ? `must be ${INTEGERS}` : 'must be an integer');
  },
  readFilter(text) {
    const value = INTEGER.test(text) ? Number(text) : NaN;
    return Number.isSafeInteger(value) ? numberKey(value) : undefined;
  },
};
