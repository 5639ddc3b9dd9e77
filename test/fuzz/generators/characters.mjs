/** Characters of every script. fast-check's own Unicode units are slow to set up. */
import fc from 'fast-check';

const codePoints = (min, max) => fc.integer({ min, max }).map((code) => String.fromCodePoint(code));

/** One character of any script, but no lone surrogate. */
export const character = fc.oneof(
  { weight: 6, arbitrary: codePoints(0x20, 0x7e) },
  { weight: 2, arbitrary: codePoints(0xa1, 0x24f) },
  { weight: 1, arbitrary: codePoints(0x370, 0x1fff) },
  { weight: 1, arbitrary: codePoints(0x2000, 0xd7ff) },
  { weight: 1, arbitrary: codePoints(0xe000, 0x10ffff) },
  { weight: 1, arbitrary: fc.constantFrom('👩‍👩‍👧‍👦', 'e\u0301', '🏳️‍🌈', 'ﷺ', '\n', '\t', '\u0001', '\u00a0') },
);
