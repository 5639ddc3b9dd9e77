import fc from 'fast-check';
import { cleanName } from './file-name.js';

describe('the clean name of a file', () => {
  it('has no folder, no invisible character, at most 150 characters, and stays as it is when it is cleaned again', () => {
    const names = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.stringMatching(/^[./\\ a-z:]{0,20}\.(exe|png)[ .]{0,3}$/),
    );
    fc.assert(
      fc.property(names, (sent) => {
        const name = cleanName(sent);
        expect(name).not.toMatch(/[/\\<>:|?*\p{Cc}\p{Cf}\p{Cs}]|^\s|[\s.]$|^$/u);
        expect([...name].length).toBeLessThanOrEqual(150);
        expect(cleanName(name)).toBe(name);
      }),
    );
  });

  it.each([
    ['a.exe . .', 'a.exe'],
    ['a.pdf/', 'a.pdf'],
    ['a.pdf/..', 'a.pdf'],
    ['\u202e', 'file'],
    ['the "new" logo.png', 'the "new" logo.png'],
    ['a.hta:x', 'a.hta_x'],
    ['a\r\nb\0.png', 'ab.png'],
    ['a'.repeat(200), 'a'.repeat(150)],
    [`${'a'.repeat(200)}.tar.gz`, `${'a'.repeat(147)}.gz`],
  ])('of %j is %j', (sent, name) => {
    expect(cleanName(sent)).toBe(name);
  });
});
