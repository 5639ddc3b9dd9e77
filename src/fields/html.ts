import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { runNow, type Steps } from '../admission/steps.js';

/** Units of HTML that one step reads. The worst of them, all `<`, take about a millisecond. */
const PIECE = 8_192;

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
  return runNow(textOfHtmlSteps(html));
}

/** `textOfHtml` in steps. */
export function* textOfHtmlSteps(html: string, piece = PIECE): Steps<string> {
  if (!html.includes('<') && !html.includes('&')) return html;
  const reader = new TextReader(html);
  const tokenizer = new Tokenizer({}, reader);
  const texts: string[] = [];
  for (let from = 0; from < html.length; from += piece) {
    if (from > 0) yield;
    tokenizer.write(html.slice(from, from + piece));
    // A text of very many parts would be put together in one long step.
    texts.push(reader.parts.splice(0).join(''));
  }
  tokenizer.end();
  return texts.join('') + reader.parts.join('');
}

class TextReader implements TokenizerCallbacks {
  /** What was read since somebody took it. */
  readonly parts: string[] = [];
  private unread = false;

  constructor(private readonly html: string) {}

  ontext(start: number, end: number): void {
    if (!this.unread) this.parts.push(this.html.slice(start, end));
  }

  ontextentity(codePoint: number): void {
    if (!this.unread) this.parts.push(String.fromCodePoint(codePoint));
  }

  onopentagname(start: number, end: number): void {
    const name = this.html.slice(start, end).toLowerCase();
    this.unread = UNREAD.has(name);
    if (!INLINE.has(name)) this.parts.push(' ');
  }

  onclosetag(start: number, end: number): void {
    this.unread = false;
    if (!INLINE.has(this.html.slice(start, end).toLowerCase())) this.parts.push(' ');
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
