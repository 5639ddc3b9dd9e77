import { isAnimatedAvif } from './image-types.js';

describe('an AVIF', () => {
  it.each([
    ['\0\0\0\x20ftypavis\0\0\0\0avif', true],
    ['\0\0\0\x20ftypavif\0\0\0\0avismif1', false],
    ['avis', false],
  ])('that begins with %j is an animation: %s', (head, expected) => {
    expect(isAnimatedAvif(Buffer.from(head, 'latin1'))).toBe(expected);
  });
});
