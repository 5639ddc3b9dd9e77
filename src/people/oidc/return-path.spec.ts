import { consolePath } from './return-path.js';

describe('the path after signing in', () => {
  it.each([
    '/console',
    '/console/',
    '/console/ten_acme/content/post?filter[a]=b&page=2#top',
    '/console/a//b',
    '/console?x=https://evil.example/',
  ])('may be %s', (path) => expect(consolePath(path)).toBe(path));

  it('is normalized', () => expect(consolePath('/console/a/../b/é')).toBe('/console/b/%C3%A9'));

  it.each([
    '',
    '/',
    '/docs',
    '/consoles',
    'console',
    '//evil.example/console',
    '///evil.example/console',
    '/\\evil.example/console',
    '/console\\..\\..\\x',
    '/console/../..',
    '/console/../v1/me',
    '/console/%2e%2e/v1/me',
    '/console/.%2E/.%2e/x',
    'https://evil.example/console',
    'https:/console',
    'javascript:alert(1)//console',
    '/console/\nx',
    '/console/\tx',
    '/console/ x',
    '/console/\u0000',
    '/console/\u200b',
    '/console/\ud800',
    ' /console',
    `/console/${'x'.repeat(1_100)}`,
  ])('cannot be %j', (path) => expect(consolePath(path)).toBeUndefined());
});
