import { entryInHtml, fileInHtml, htmlMark } from './model.js';
import { type Known, resolved } from './resolve.js';

const known: Known = {
  idOf: (key) => (key === 'post 1' ? 'ent_1' : undefined),
  fileOf: (key) => (key === 'file ü' ? { id: 'med_1', url: 'https://here.example/1.png', alt: '' } : undefined),
  urlOf: (url) => (url === 'https://old.example/1.png' ? 'https://here.example/1.png' : undefined),
};

describe('what stands in a value for what was not known', () => {
  it('is replaced in HTML, and what leads nowhere is reported', () => {
    const lost: string[] = [];
    const html = `<a data-entry="${entryInHtml('post 1')}"></a><img src="${fileInHtml('file ü')}"><a href="${entryInHtml('post 2')}"></a> https://old.example/1.png.`;
    expect(resolved(htmlMark(html), known, (key) => lost.push(key))).toBe(
      '<a data-entry="ent_1"></a><img src="https://here.example/1.png"><a href=""></a> https://here.example/1.png.',
    );
    expect(lost).toEqual(['post 2']);
  });

  it('may also be a text of the source that only looks like it', () => {
    const html = '<p>trivet-entry:%zz and trivet-file:%E0%A4%A</p>';
    expect(resolved(htmlMark(html), known, () => undefined)).toBe(html);
  });
});
