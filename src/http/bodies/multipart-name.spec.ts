import { decodeMultipartName } from './multipart-name.js';

describe('a name in multipart/form-data', () => {
  it.each([
    ['the %22new%22 logo.png', 'the "new" logo.png'],
    ['a%0D%0Ab', 'a\r\nb'],
    // Browsers encode nothing else, in capital letters, and once.
    ['100%.png', '100%.png'],
    ['%2e%2F%00%0a%0d', '%2e%2F%00%0a%0d'],
    ['%2522', '%2522'],
  ])('%s is decoded as browsers encode it', (sent, name) => {
    expect(decodeMultipartName(sent)).toBe(name);
  });

  it('is that of FormData', async () => {
    const form = new FormData();
    form.set('a"b', new Blob(['x']), 'c"\r\nd 100%.txt');
    const body = await new Response(form).text();
    const names = [...body.matchAll(/name="([^"]*)"/g)].map(([, name = '']) => decodeMultipartName(name));
    expect(names).toEqual(['a"b', 'c"\r\nd 100%.txt']);
  });
});
