import fc from 'fast-check';
import { runAtOnce } from '../../admission/sliced-work.js';
import { propertyRuns } from '../../../test/support/property-runs.js';
import { linesOfHtml } from './html.js';
import type { SearchLine } from '../search-text.js';

const linesOf = (html: string) => runAtOnce(linesOfHtml(html));
const textOf = (line: SearchLine | undefined) => (line ?? []).map(({ text }) => text).join('');
const read = (html: string): string => textOf(linesOf(html)[0]).replace(/\s+/g, ' ').trim();

describe('linesOfHtml', () => {
  it.each([
    ['no markup at all', 'no markup at all'],
    ['<p>One</p><p>Two</p>', 'One Two'],
    ['T<b>riv</b>et and T<SPAN class="x">riv</SPAN>et', 'Trivet and Trivet'],
    ['line<br>line<br/>line', 'line line line'],
    ['Fish &amp; chips &ndash; 5 &#8364; &lt;b&gt; caf&eacute;', 'Fish & chips – 5 € <b> café'],
    ['a<script>let b = "<p>c</p>";</script>d<style>e{}</style>f', 'a d f'],
    ['a<script/>b</script>c', 'a c'],
    ['a<!-- b -->c', 'ac'],
    ['<a title="b > c" href=x>d</a>', 'd'],
    ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
    ['open <div', 'open'],
    ['&#0;&#xD800;&#x110000;', '\ufffd\ufffd\ufffd'],
  ])('reads %j as %j', (html, text) => expect(read(html)).toBe(text));

  it('returns headings as spans of their own', () => {
    expect(linesOf('a<h2>b <b>c</b></h2>d<h3>e<p>f')[0]).toEqual([
      { text: 'a ', role: 'body' },
      { text: 'b c ', role: 'heading' },
      { text: 'd ', role: 'body' },
      { text: 'e ', role: 'heading' },
      { text: 'f', role: 'body' },
    ]);
  });

  it('returns a line for each link and alternative text', () => {
    const html =
      '<p>See <a class="x" href="/a?b=1&amp;c=2">this <img src=cat.png alt="A &quot;cat&quot;"></a>.<a href>';
    expect(linesOf(html).slice(1).map(textOf)).toEqual(['/a?b=1&c=2', 'A "cat"']);
    expect(read(html)).toBe('See this .');
  });

  const unit = fc.constantFrom(...'< > / ! - & # x ; " ='.split(' '), ' ', 'amp', 'script', 'svg', 'p', '[CDATA[');
  const anything = fc.oneof(fc.string({ unit }), fc.string({ unit: 'binary' }));

  it('never throws', () => {
    fc.assert(fc.property(anything, (html) => void linesOf(html)));
  });

  it('reads HTML in pieces with the same result as in one piece', () => {
    fc.assert(
      fc.property(anything, fc.integer({ min: 1, max: 5 }), (html, piece) => {
        expect(runAtOnce(linesOfHtml(html, piece))).toEqual(linesOf(html));
      }),
      { numRuns: propertyRuns(400) },
    );
  });

  it.each(['<a>', '</b>', '<a></b>', '<!--', '&', '<script></', '<svg>', '<a href=x>', '<h1>'])(
    'is fast with a megabyte of %s',
    (part) => {
      const start = performance.now();
      linesOf(part.repeat(1_000_000 / part.length));
      expect(performance.now() - start).toBeLessThan(10_000);
    },
  );
});
