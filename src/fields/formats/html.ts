import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import type { SlicedWork } from '../../admission/sliced-work.js';
import type { SearchLine, SearchRole, SearchSpan } from '../search-text.js';

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
const HEADING = /^h[1-6]$/;

/** The attributes that are read, by element: where a link leads, and what an image shows. */
const READ_ATTRIBUTES: Record<string, string> = { a: 'href', img: 'alt' };

/** UTF-16 units of an attribute that are read. A link can be an image of a megabyte. */
const MAX_ATTRIBUTE = 2_048;

/**
 * Returns what a reader of the HTML can look for. The first line is the text: without tags, with decoded entities, with a space between
 * blocks, and with the headings as spans of their own. A line follows for each link and for the alternative text of each image. Uses the
 * tokenizer, because the parser takes quadratic time for a hundred thousand unclosed tags.
 */
export function* linesOfHtml(html: string, piece = PIECE): SlicedWork<SearchLine[]> {
  if (!html.includes('<') && !html.includes('&')) return [[{ text: html, role: 'body' }]];
  const reader = new TextReader(html);
  const tokenizer = new Tokenizer({}, reader);
  for (let from = 0; from < html.length; from += piece) {
    if (from > 0) yield;
    tokenizer.write(html.slice(from, from + piece));
    reader.joinParts();
  }
  tokenizer.end();
  return reader.lines();
}

class TextReader implements TokenizerCallbacks {
  private readonly spans: { texts: string[]; role: SearchRole }[] = [{ texts: [], role: 'body' }];
  private readonly attributes: string[] = [];
  /** The text of the last span that was read since its parts were last joined. */
  private parts: string[] = [];
  private unread = false;
  private tag = '';
  /** The attribute that is being read. */
  private attribute?: string;

  constructor(private readonly html: string) {}

  lines(): SearchLine[] {
    this.joinParts();
    const text = this.spans.map(({ texts, role }): SearchSpan => ({ text: texts.join(''), role }));
    return [text, ...this.attributes.map((attribute): SearchLine => [{ text: attribute, role: 'body' }])];
  }

  /** Joining all parts at the end would be one long step. */
  joinParts(): void {
    if (this.parts.length > 0) this.spans.at(-1)?.texts.push(this.parts.join(''));
    this.parts = [];
  }

  ontext(start: number, end: number): void {
    if (!this.unread) this.parts.push(this.html.slice(start, end));
  }

  ontextentity(codePoint: number): void {
    if (!this.unread) this.parts.push(String.fromCodePoint(codePoint));
  }

  onopentagname(start: number, end: number): void {
    const name = this.html.slice(start, end).toLowerCase();
    this.tag = name;
    this.unread = UNREAD.has(name);
    if (INLINE.has(name)) return;
    this.parts.push(' ');
    // The next block ends a heading that is not closed.
    this.begin(HEADING.test(name) ? 'heading' : 'body');
  }

  onclosetag(start: number, end: number): void {
    this.unread = false;
    const name = this.html.slice(start, end).toLowerCase();
    if (INLINE.has(name)) return;
    this.parts.push(' ');
    if (HEADING.test(name)) this.begin('body');
  }

  onattribname(start: number, end: number): void {
    const isRead = READ_ATTRIBUTES[this.tag] === this.html.slice(start, end).toLowerCase();
    this.attribute = isRead ? '' : undefined;
  }

  onattribdata(start: number, end: number): void {
    this.addToAttribute(this.html.slice(start, end));
  }

  onattribentity(codePoint: number): void {
    this.addToAttribute(String.fromCodePoint(codePoint));
  }

  onattribend(): void {
    if (this.attribute) this.attributes.push(this.attribute);
    this.attribute = undefined;
  }

  // Ignored: a self-closing script or style has no content in XML only. In HTML, the text after it is still its content.
  onselfclosingtag(): void {}
  onopentagend(): void {}
  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  private begin(role: SearchRole): void {
    if (this.spans.at(-1)?.role === role) return;
    this.joinParts();
    this.spans.push({ texts: [], role });
  }

  private addToAttribute(text: string): void {
    if (this.attribute !== undefined && this.attribute.length < MAX_ATTRIBUTE) {
      this.attribute += text.slice(0, MAX_ATTRIBUTE - this.attribute.length);
    }
  }
}
