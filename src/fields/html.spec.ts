import fc from 'fast-check';
import { runNow } from '../admission/steps.js';
import { textOfHtml, textOfHtmlSteps } from './html.js';

const read = (html: string): string => textOfHtml(html).replace(/\s+/g, ' ').trim();

describe('textOfHtml', () => {
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

  const unit = fc.constantFrom(...'< > / ! - & # x ; " ='.split(' '), ' ', 'amp', 'script', 'svg', 'p', '[CDATA[');
  const anything = fc.oneof(fc.string({ unit }), fc.string({ unit: 'binary' }));

  it('never throws', () => {
    fc.assert(fc.property(anything, (html) => void textOfHtml(html)));
  });

  it('reads HTML in pieces with the same result as in one piece', () => {
    fc.assert(
      fc.property(anything, fc.integer({ min: 1, max: 5 }), (html, piece) => {
        expect(runNow(textOfHtmlSteps(html, piece))).toBe(textOfHtml(html));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(['<a>', '</b>', '<a></b>', '<!--', '&', '<script></', '<svg>'])('is fast with a megabyte of %s', (part) => {
    const start = performance.now();
    textOfHtml(part.repeat(1_000_000 / part.length));
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});
