import { RestoredFiles } from './restore-media.js';

describe('the URLs of restored files', () => {
  const files = new RestoredFiles();
  files.add('https://old.example/media/ten_a/one.png', 'https://new.example/media/ten_b/two.png');

  it('replace the old ones in values and inside texts, with and without an address before them', () => {
    const entry = {
      cover: { url: 'https://old.example/media/ten_a/one.png', alt: 'A' },
      list: ['/media/ten_a/one.png'],
      html: '<img src="/media/ten_a/one.png?w=640"> <a href="https://old.example/cms/media/ten_a/one.png">x</a>',
      n: 1,
      nothing: null,
    };
    expect(files.rewrite(entry)).toEqual({
      cover: { url: 'https://new.example/media/ten_b/two.png', alt: 'A' },
      list: ['https://new.example/media/ten_b/two.png'],
      html: '<img src="https://new.example/media/ten_b/two.png?w=640"> <a href="https://new.example/media/ten_b/two.png">x</a>',
      n: 1,
      nothing: null,
    });
  });

  it('leave other texts alone', () => {
    for (const text of ['https://old.example/media/ten_a/other.png', 'the /media/ folder', 'one.png'])
      expect(files.rewrite(text)).toBe(text);
  });
});
