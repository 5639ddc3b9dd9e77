import { FieldType } from '../field-type.js';
import { textFormType } from './text.js';

export const hiddenFormType: FieldType = {
  ...textFormType,
  value: {
    type: 'string',
    description: 'A string that the page fills in. It has at most 1,000 characters unless `max` sets another limit.',
    example: 'spring-campaign',
  },
};
