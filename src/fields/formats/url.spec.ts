import { faultOfHttpUrl, isHttpUrl } from './url.js';

describe('a URL', () => {
  it.each([
    ['https://exa mple.com', 'it has a space at position 12'],
    [' https://example.com', 'it has a space at position 1'],
    ['https://example.com/😀/a b', 'it has a space at position 24'],
    ['https://example.com\n', 'it has a line break at position 20'],
    ['https://example.com/\t', 'it has a tab at position 21'],
    ['https://example.com/\u0007', 'it has a control character at position 21'],
    ['https://example.com/\u00a0', 'it has a white space at position 21'],
    ['https://example.com/"', 'it has the character " at position 21'],
    ['example.com', 'it does not begin with http:// or https://'],
    ['http:example.com', 'it does not begin with http:// or https://'],
    ['', 'it does not begin with http:// or https://'],
    ['HTTPS:///path', 'it has no host after HTTPS://'],
    ['https://example.com:99999/', 'its host or port is not valid'],
    [`https://example.com/${'a'.repeat(2_048)}`, 'it has more than 2048 characters'],
  ])('is refused with the reason: %j', (text, reason) => {
    expect(faultOfHttpUrl(text)).toBe(reason);
    expect(isHttpUrl(text)).toBe(false);
  });
});
