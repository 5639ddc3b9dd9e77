import type { SlicedWork } from '../../admission/sliced-work.js';
import { Problem } from '../../errors/problem.js';
import { isRecord } from '../../fields/record.js';
import { stringifySliced } from '../../json/stringify-sliced.js';
import type { ToolAnswer } from './answer.js';
import { valueAt } from './cut-value.js';
import { beginningOf, MAX_ANSWER_BYTES } from './weight.js';

/** For what stands around the piece in the message. */
const AROUND = 2_048;

/** The schema of a piece. */
export const PIECE_SCHEMA = {
  type: 'object',
  description: 'With `field`: a part of its text, or of its value as JSON.',
  properties: {
    id: { type: 'string' },
    field: { type: 'string' },
    offset: { type: 'integer' },
    text: { type: 'string' },
    length: { type: 'integer', description: 'The characters of the whole text.' },
    next_offset: { type: ['integer', 'null'], description: 'The `offset` of the next part; null at the end.' },
  },
  required: ['id', 'field', 'offset', 'text', 'length', 'next_offset'],
  additionalProperties: false,
};

/** Where a piece begins: in the value at this dotted path, after these characters. */
export interface PiecePlace {
  field: string;
  offset: number;
}

/** Returns the part of a text in a record that begins at `offset`, or of any other value as JSON. Throws a 400 if there is no such text. */
export function* pieceOf({ data }: ToolAnswer, { field, offset }: PiecePlace): SlicedWork<ToolAnswer> {
  const record = isRecord(data) ? data : {};
  const { fields, id } = record;
  const value = valueAt(isRecord(fields) ? fields : record, field);
  if (value === undefined)
    throw Problem.parameter('field', `field must be the path of a value, but there is no ${field.slice(0, 100)}.`);
  const text = typeof value === 'string' ? value : yield* jsonOf(value);
  // An offset within a surrogate pair leads to its beginning.
  const start = isLowSurrogate(text, offset) ? offset - 1 : offset;
  const part = beginningOf(text.slice(start, start + MAX_ANSWER_BYTES), MAX_ANSWER_BYTES - AROUND);
  const end = start + part.length;
  return {
    piece: {
      id,
      field,
      offset: start,
      text: part,
      length: text.length,
      next_offset: end < text.length && part !== '' ? end : null,
    },
  };
}

/** Writes a value as JSON. */
export function* jsonOf(value: unknown): SlicedWork<string> {
  return typeof value === 'object' && value !== null ? yield* stringifySliced(value) : JSON.stringify(value);
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return at > 0 && code >= 0xdc00 && code <= 0xdfff;
}
