import fc from 'fast-check';
import { accepts, checkFileLimits, cleanName, maxBytesOf } from './file-rules.js';

const file = (rest: object) => ({ name: 'cv', type: 'file', ...rest });

describe('the clean name of a file', () => {
  it('has no folder, no invisible character, at most 150 characters, and stays as it is when it is cleaned again', () => {
    const names = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.stringMatching(/^[./\\ a-z:]{0,20}\.(exe|png)[ .]{0,3}$/),
    );
    fc.assert(
      fc.property(names, (sent) => {
        const name = cleanName(sent);
        expect(name).not.toMatch(/[/\\<>:"|?*\p{Cc}\p{Cf}\p{Cs}]|^\s|[\s.]$|^$/u);
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
    ['a'.repeat(200), 'a'.repeat(150)],
    [`${'a'.repeat(200)}.tar.gz`, `${'a'.repeat(147)}.gz`],
  ])('of %j is %j', (sent, name) => {
    expect(cleanName(sent)).toBe(name);
  });
});

describe('a field of files', () => {
  it.each([
    [undefined, 'application/zip', true],
    [['image/*'], 'image/png', true],
    [['IMAGE/PNG'], 'image/png', true],
    [['image/*'], 'imagex/png', false],
    [['image/png'], 'image/jpeg', false],
    [['*/*'], 'a/b', true],
  ])('that accepts %j takes %s: %s', (accept, type, isAccepted) => {
    expect(accepts(file({ accept }), type)).toBe(isAccepted);
  });

  it('allows 10 MiB unless it says otherwise, and never more than the service', () => {
    expect(maxBytesOf(file({}), 2 ** 30)).toBe(10 * 1024 * 1024);
    expect(maxBytesOf(file({ max_bytes: 5 }), 2 ** 30)).toBe(5);
    expect(maxBytesOf(file({}), 1_000)).toBe(1_000);
    expect(checkFileLimits([file({}), file({ max_bytes: 1_001 })], 1_000)).toEqual([
      expect.objectContaining({ path: 'fields.1.max_bytes', code: 'max' }),
    ]);
  });
});
