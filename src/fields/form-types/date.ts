import { FieldType } from '../field-type.js';
import { date as plain } from '../types/date.js';

export const date: FieldType = { ...plain, input: 'date', constraints: [] };
