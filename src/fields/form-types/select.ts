import { FieldType } from '../field-type.js';
import { selectType as plain } from '../types/select.js';

export const selectFormType: FieldType = { ...plain, constraints: ['options', 'multiple'], isListText: true };
