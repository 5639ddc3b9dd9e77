import { FieldType } from '../field-type.js';
import { isRecord } from '../record.js';
import { listed } from '../../validation/suggestion.js';

/** A list of items of different kinds. Each item is an object that names its kind as `block`. */
export const blocksType: FieldType = {
  value: {
    type: 'object',
    description:
      'A list of at most 1,000 items. Each is an object that names one of the `blocks` of the field as `block`, and has the ' +
      'values of its fields.',
    example: { block: 'quote', text: 'Bake until it sounds hollow.' },
    properties: { block: { type: 'string' } },
    required: ['block'],
    additionalProperties: true,
  },
  constraints: ['blocks'],
  sortable: false,
  textual: false,
  isList: true,
  parts: ({ blocks: kinds = [] }) => kinds.map(({ name, fields }) => ({ block: name, fields })),
  check(value, check) {
    if (!isRecord(value)) return check.fault('type', 'must be an object with block');
    const block = Object.hasOwn(value, 'block') ? value['block'] : undefined;
    const names = check.definition.blocks?.map(({ name }) => name) ?? [];
    if (block === undefined || block === null) check.fault('required', 'is required', '.block');
    else if (typeof block !== 'string') check.fault('type', 'must be a string', '.block');
    else if (!names.includes(block)) check.fault('options', `must be one of ${listed(names)}`, '.block');
  },
};
