import type { FieldDefinition } from '../../fields/field-definition.js';
import type { FieldType } from '../../fields/field-type.js';
import { line } from '../../fields/form-types/line.js';
import { numberFormType } from '../../fields/form-types/number.js';
import { registerFieldTypes } from '../../fields/registry.js';
import { Schema } from '../../fields/schema.js';
import { fieldHtml } from './form-controls.js';
import { Words } from './texts/words.js';

const color: FieldType = {
  ...line,
  input: 'color',
  value: { type: 'string', description: 'A color.', example: '#ff8800' },
  check: () => undefined,
};

describe('the control of a form field', () => {
  beforeAll(() =>
    registerFieldTypes([{ form: { color, amount: numberFormType, code: { ...color, input: undefined } } }]),
  );
  afterAll(() => registerFieldTypes([]));

  const control = (definition: Omit<FieldDefinition, 'name'>) => {
    const field = Schema.compile([{ name: 'it', ...definition }], 'form').field('it');
    if (!field) throw new Error('There is no field.');
    return fieldHtml({ field, sent: undefined, isAgain: false, largestFile: 0, errors: [], words: new Words('en') });
  };

  it('is the input that a type of an extension names', () => {
    expect(control({ type: 'color' })).toContain('<input type="color" ');
  });

  it('is a text input without that', () => {
    expect(control({ type: 'code', max: 7 })).toMatch(/<input type="text" [^>]* maxlength="14"/);
  });

  it('limits the value, not its length, if `min` and `max` do', () => {
    const html = control({ type: 'amount', min: 5, max: 120 });
    expect(html).toMatch(/<input type="number" [^>]* step="any" min="5" max="120"/);
    expect(html).not.toContain('length');
    expect(html).toContain('>5 to 120<');
  });
});
