import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

/** Elements inside a line: their tags do not end a word, so that `<b>T</b>rivet` is one. */
const INLINE = new Set(
  'a abbr b bdi bdo cite code data del dfn em font i ins kbd mark q s samp small span strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);

/** Elements whose content is no text for readers. */
const UNREAD = new Set(['script', 'style']);

/**
 * The text a reader sees: tags dropped, entities decoded, blocks parted by a space. Works on the tokenizer, not the parser,
 * because a tree of a hundred thousand unclosed tags costs the parser quadratic time.
 */
export function textOfHtml(html: string): string {
  if (!html.includes('<') && !html.includes('&')) return html;
  const reader = new TextReader(html);
  const tokenizer = new Tokenizer({}, reader);
  tokenizer.write(html);
  tokenizer.end();
  return reader.text;
}

class TextReader implements TokenizerCallbacks {
  text = '';
  private unread = false;

  constructor(private readonly html: string) {}

  ontext(start: number, end: number): void {
    if (!this.unread) this.text += this.html.slice(start, end);
  }

  ontextentity(codePoint: number): void {
    if (!this.unread) this.text += String.fromCodePoint(codePoint);
  }

  onopentagname(start: number, end: number): void {
    const name = this.html.slice(start, end).toLowerCase();
    this.unread = UNREAD.has(name);
    if (!INLINE.has(name)) this.text += ' ';
  }

  onclosetag(start: number, end: number): void {
    this.unread = false;
    if (!INLINE.has(this.html.slice(start, end).toLowerCase())) this.text += ' ';
  }

  // A self-closing script or style has no content in XML only; what follows it in HTML is still script.
  onselfclosingtag(): void {}
  onopentagend(): void {}
  onattribdata(): void {}
  onattribentity(): void {}
  onattribend(): void {}
  onattribname(): void {}
  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}
}
