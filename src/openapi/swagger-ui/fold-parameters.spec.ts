import { foldParameters } from './fold-parameters.js';

function folded(description: string): string {
  const parameters = [{ name: 'search', description }];
  foldParameters({ paths: { '/v1/things': { get: { parameters } } } });
  return parameters[0]?.description ?? '';
}

const LONG = 'It finds words and phrases in any order. '.repeat(10).trim();

describe('foldParameters', () => {
  it('folds a long description to its first sentence', () => {
    const [first, ...rest] = LONG.split(/(?<=\.) /);
    expect(folded(LONG)).toBe(`<details><summary>${first}</summary>\n\n${rest.join(' ')}\n\n</details>`);
  });

  it('takes no point within code for the end of a sentence', () => {
    expect(folded(`Example: is not \`a. b\` here. ${LONG}`)).toContain('<summary>Example:</summary>');
    expect(folded(`Send \`a. b\` or c.d here. ${LONG}`)).toContain('<summary>Send `a. b` or c.d here.</summary>');
  });

  it.each(['', 'A short one. With two sentences.', 'x'.repeat(500)])('leaves others as they are', (description) => {
    expect(folded(description)).toBe(description);
  });
});
