import { labelOf } from './labels.js';

describe('the label of a field', () => {
  it.each([
    ['first_name', 'First name'],
    ['firstName', 'First name'],
    ['first-name', 'First name'],
    ['FirstName', 'First name'],
    ['FIRST_NAME', 'FIRST NAME'],
    ['VATNumber', 'VAT number'],
    ['line2', 'Line2'],
    ['_replyto', 'Replyto'],
    ['a', 'A'],
    ['__', '__'],
  ])('is made of its name: %s is "%s"', (name, label) => expect(labelOf({ name })).toBe(label));

  it('is the one that is set, unless that is blank', () => {
    expect(labelOf({ name: 'first_name', label: ' Given name ' })).toBe('Given name');
    expect(labelOf({ name: 'first_name', label: ' ' })).toBe('First name');
  });
});
