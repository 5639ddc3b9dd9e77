import { FieldType } from '../field-type.js';
import { select as plain } from '../types/select.js';

export const select: FieldType = { ...plain, constraints: ['options', 'multiple'], isListText: true };
