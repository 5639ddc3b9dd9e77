import { accepts } from './accept.js';
import { checkFileLimits, maxBytesOf } from './max-bytes.js';

const file = (rest: object) => ({ name: 'cv', type: 'file', ...rest });

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
