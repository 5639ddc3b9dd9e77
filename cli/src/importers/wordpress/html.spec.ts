import { Report } from '../moving/report.js';
import { htmlOf } from './html.js';

const shown = (content: string) => {
  const report = new Report();
  return {
    html: htmlOf(content, 'post 1', report),
    report: report.items.map(({ message, where }) => [message[2], ...where]),
  };
};

describe('the HTML of a post', () => {
  it('has no comments of blocks, and the report names the blocks that have no HTML', () => {
    const { html, report } = shown(
      '<!-- wp:heading {"level":2} -->\n<h2>A</h2>\n<!-- /wp:heading -->\n\n<!-- kept -->\n' +
        '<!-- wp:latest-posts {"n":{"a":1}} /-->\n<!-- wp:html --><p>[gallery ids="1"]</p><!-- /wp:html --> <!-- open',
    );
    expect(html).toBe('<h2>A</h2>\n\n<!-- kept -->\n<p>[gallery ids="1"]</p> <!-- open');
    expect(report).toEqual([
      ['b', 'post 1: latest-posts'],
      ['s', 'post 1: [gallery]'],
    ]);
  });

  it('of the classic editor has paragraphs, captions, and line ends where they mean something', () => {
    const { html, report } = shown(
      'One\ntwo\n \nThree\r\n\r\n<PRE>a\n\nb [x]</pre>[caption id="1"]<a href="x"><img src="y"></a> Words[/caption]\n\n<style>\n\nnever closed',
    );
    expect(html).toBe(
      '<p>One<br>\ntwo</p>\n<p>Three</p>\n<PRE>a\n\nb [x]</pre>\n' +
        '<figure><a href="x"><img src="y"></a><figcaption>Words</figcaption></figure>\n<style>\n<p>never closed</p>',
    );
    expect(report).toEqual([]);
  });

  it('takes time that grows with the length only', () => {
    for (const part of [
      '[caption]<img ',
      '[caption]<img>',
      '<!-- wp:a {',
      '<!--wp:a {} ',
      '[a ',
      '<pre>',
      '\n \n',
      '<pre></style>',
    ]) {
      const began = performance.now();
      htmlOf(part.repeat(1_000_000 / part.length), 'post 1', new Report());
      htmlOf(`<!-- wp:a -->${part.repeat(1_000_000 / part.length)}[/caption]-->`, 'post 1', new Report());
      expect([part, performance.now() - began < 5_000]).toEqual([part, true]);
    }
  });
});
