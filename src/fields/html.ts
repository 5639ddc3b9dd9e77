import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { runNow, type Steps } from '../admission/steps.js';

/** Number of UTF-16 units of HTML that one step reads. In the worst case, only `<`, a step takes about a millisecond. */
const PIECE = 8_192;

/** Inline elements. Their tags do not end a word, so `<b>T</b>rivet` is one word. */
const INLINE = new Set(
  'a abbr b bdi bdo cite code data del dfn em font i ins kbd mark q s samp small span strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);

/** Elements whose content is not text for readers. */
const UNREAD = new Set(['script', 'style']);

/**
 * Returns the text that a reader sees: without tags, with decoded entities, and with a space between blocks. Uses the tokenizer, because
 * the parser takes quadratic time for a hundred thousand unclosed tags.
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
    // Join the parts of each piece, because joining all parts at the end would be one long step.
    texts.push(reader.parts.splice(0).join(''));
  }
  tokenizer.end();
  return texts.join('') + reader.parts.join('');
}

class TextReader implements TokenizerCallbacks {
  /** The text that was read since the parts were last taken. */
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

  // Ignored: a self-closing script or style has no content in XML only. In HTML, the text after it is still its content.
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
