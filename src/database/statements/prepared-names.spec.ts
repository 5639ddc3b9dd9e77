import { PreparedNames } from './prepared-names.js';

describe('the names of composed statements', () => {
  const thirdNameOf = (text: string) => {
    const names = new PreparedNames();
    names.nameOf(text);
    names.nameOf(text);
    return names.nameOf(text);
  };

  it('are given to texts that are sent the third time', () => {
    const names = new PreparedNames();
    expect([names.nameOf('a'), names.nameOf('a'), names.nameOf('b')]).toEqual([undefined, undefined, undefined]);
    expect([names.nameOf('a'), names.nameOf('a'), names.nameOf('b')]).toEqual(['composed.0', 'composed.0', undefined]);
  });

  it('are not given to long texts, whose plans take megabytes', () => {
    expect(thirdNameOf('a'.repeat(10_000))).toBe('composed.0');
    expect(thirdNameOf('a'.repeat(10_001))).toBeUndefined();
  });
});
