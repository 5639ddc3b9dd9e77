import { checkPreviewUrl } from './preview-url.js';

const FIELDS = [
  { name: 'slug', type: 'text' },
  { name: 'year', type: 'integer' },
  { name: 'tags', type: 'text', multiple: true },
  { name: 'body', type: 'rich_text' },
  null,
  'x',
  { type: {} },
];
const codes = (value: unknown) => checkPreviewUrl(value, FIELDS).map(({ code }) => code);

describe('preview_url', () => {
  it.each([
    'https://site.example',
    'https://site.example/{slug}?preview={token}',
    'http://localhost:3000/{year}/{slug}/{slug}#{token}',
  ])('may be %s', (url) => expect(codes(url)).toEqual([]));

  it.each([
    [1, ['type']],
    ['', ['format']],
    ['/{slug}', ['format']],
    ['javascript:alert(1)//{slug}', ['format']],
    ['ftp://site.example/{slug}', ['format']],
    ['https://{slug}.example/', ['format']],
    ['https://site.example:{year}/', ['format']],
    ['https://site.example/{slug', ['format']],
    ['https://site.example/{{slug}}', ['format']],
    ['https://site.example/{slug} x', ['format']],
    [`https://site.example/${'x'.repeat(2_100)}`, ['format']],
    [`https://site.example/{${'x'.repeat(2_100)}}`, ['format']],
    ['https://site.example/{}', ['format']],
    ['https://site.example/{nope}/{other}/{nope}', ['format', 'format']],
    ['https://site.example/{tags}/{body}', ['format', 'format']],
  ])('is refused as %j', (url, expected) => expect(codes(url)).toEqual(expected));
});
