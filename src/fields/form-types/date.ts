import { FieldType } from '../field-type.js';
import { dateType as plain } from '../types/date.js';

export const dateFormType: FieldType = { ...plain, input: 'date', constraints: [] };
