import fc from 'fast-check';
import { markedMedia, markPath, markWritten, splitMediaUrl, withMediaUrls } from './media-url.js';

const PATH = '/media/ten_acme/med_01k9mzh6xze3n8mqsd5wkxp2zt.jpg';
const BASE = 'https://cms.example/$&/base';

/** The JSON of a media value, as it is stored. */
const stored = (value: unknown, isFull = false) => markWritten(JSON.stringify([markPath(value, isFull)]));

describe('the mark of a path', () => {
  it.each([PATH, `${PATH}?w=320&s=AbC`, `${PATH}#top`, PATH.replace('.jpg', '')])(
    'stands for the base of the URL of %s',
    (url) => {
      for (const isFull of [false, true]) {
        const json = stored({ url, alt: 'x' }, isFull);
        expect(json).not.toContain('"/media/');
        expect(JSON.parse(json)).toEqual([{ url, alt: 'x' }]);
        expect(JSON.parse(withMediaUrls(json, BASE))).toEqual([{ url: `${BASE}${url}`, alt: 'x' }]);
      }
    },
  );

  it.each(['/media/x.jpg', '/media/ten_acme/x.jpg', `/files${PATH}`, `https://cms.example${PATH}`, `${PATH}x.jpg`])(
    'is not in %s',
    (url) => expect(stored({ url, alt: 'x' })).toBe(JSON.stringify([{ url, alt: 'x' }])),
  );

  it('is in no other text', () => {
    const text = fc
      .array(fc.constantFrom('"', '\\', '/', '\\u002f', '\\u002F', 'u002f', 'media/', '\u0001', '\u002f', 'ü'))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.jsonValue(), text, text, (value, one, other) => {
        const json = JSON.stringify({ [one]: [other, value], url: `${other}media/`, alt: one });
        expect(withMediaUrls(json, BASE)).toBe(json);
      }),
    );
  });
});

describe('a URL', () => {
  it('is split before the path of a file', () => {
    expect(splitMediaUrl(`${BASE}${PATH}?w=1`)).toEqual({ base: BASE, path: `${PATH}?w=1` });
    expect(splitMediaUrl(PATH)).toEqual({ base: '', path: PATH });
    expect(splitMediaUrl(`${BASE}/media/ten_acme/x.jpg`)).toBeUndefined();
    expect(splitMediaUrl('https://cms.example')).toBeUndefined();
  });
});

describe('media values in JSON', () => {
  it('are found with their ends, whatever their alternative texts contain', () => {
    for (const alt of ['', 'x', '"}', '\\', '\\"', '},"url":"', 'ü\n']) {
      for (const value of [
        { url: PATH, alt },
        { alt, url: PATH },
      ]) {
        const json = stored(value);
        const [found, ...others] = markedMedia(json, true);
        expect(others).toEqual([]);
        expect(found).toEqual({ mediaId: 'med_01k9mzh6xze3n8mqsd5wkxp2zt', end: json.length - 2 });
        expect([...markedMedia(json, false)]).toEqual([]);
        expect([...markedMedia(stored(value, true), false)]).toHaveLength(1);
      }
    }
  });
});
