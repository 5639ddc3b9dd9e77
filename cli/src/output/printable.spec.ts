import { printable } from './printable.js';

describe('what a terminal is shown', () => {
  it('keeps text, line feeds, tabs and colours', () => {
    const text = 'Größe\t1\n\u001b[31mred\u001b[39m \u001b[1;2mbold\u001b[0m';
    expect(printable(text)).toBe(text);
  });

  it('has no other control characters', () => {
    expect(printable('a\u001b[2Jb\u001b]0;title\u0007c\rd\u0000e\u009b31mf')).toBe(
      'a\ufffd[2Jb\ufffd]0;title\ufffdc\ufffdd\ufffde\ufffd31mf',
    );
  });
});
