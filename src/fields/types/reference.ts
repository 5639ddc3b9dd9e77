import { FieldType } from '../field-type.js';
import { exactKey } from '../sort-key.js';

const ENTRY_ID = /^ent_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** The ID of an entry. Only its format is checked here. `Schema.references` returns the IDs that the caller must look up. */
export const referenceType: FieldType = {
  value: {
    type: 'string',
    pattern: ENTRY_ID.source,
    description: 'The ID of an entry of the content type that `content_type` names, or of one of `content_types`.',
    example: 'ent_01j9zt5k8h0000000000000000',
  },
  constraints: ['content_type', 'content_types', 'unique', 'multiple', 'on_delete'],
  sortable: true,
  textual: false,
  refers: true,
  check(value, check) {
    if (typeof value !== 'string') return check.fault('type', 'must be a string');
    if (!ENTRY_ID.test(value)) check.fault('format', 'must be the ID of an entry');
  },
  key: (value) => exactKey(value as string),
  readFilter: (text) => (ENTRY_ID.test(text) ? exactKey(text) : undefined),
};
