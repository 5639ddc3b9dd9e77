import { parseUrl } from './parse-url.js';

/** After as many calls, V8 has optimized the function. */
const MANY = 50_000;

describe('parseUrl', () => {
  it.each([
    ['https://example.com/a?b#c', 'https://example.com/a?b#c'],
    ['https://bücher.example/ü', 'https://xn--bcher-kva.example/%C3%BC'],
    ['mailto:ada@example.com', 'mailto:ada@example.com'],
  ])('reads %s', (text, href) => expect(parseUrl(text)?.href).toBe(href));

  it.each(['', 'example.com', '//example.com', 'https://', 'https://exa mple.com', 'https://example.com:99999'])(
    'is undefined for %j',
    (text) => expect(parseUrl(text)).toBeUndefined(),
  );

  it('reads a path relative to a base', () => {
    expect(parseUrl('/ü', 'https://example.com')?.pathname).toBe('/%C3%BC');
  });

  it('reads the same however often it is called', () => {
    let refused = 0;
    for (let call = 0; call < MANY; call++) if (!parseUrl('https://bücher.example/ü')) refused++;
    expect(refused).toBe(0);
  });
});
