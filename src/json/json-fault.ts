import type { SlicedWork } from '../admission/sliced-work.js';

/** Characters that one step reads, in about a millisecond. */
const PIECE = 65_536;

/** Where a text stops to be JSON, and why. */
export interface JsonFault {
  /** Counted from 1. Columns count characters (code points). */
  line: number;
  column: number;
  reason: string;
}

const LITERALS = ['true', 'false', 'null'];
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /[\p{L}\p{N}_$]+/uy;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/**
 * Finds the first place where `text` is not JSON (RFC 8259), in steps; undefined if it is JSON. `JSON.parse` reports no position for many
 * errors, and words it differently in each version of node.
 */
export function* findJsonFault(text: string): SlicedWork<JsonFault | undefined> {
  const finder = new FaultFinder(text);
  const fault = yield* finder.find();
  return fault && { ...placeOf(text, fault.at), reason: fault.reason };
}

type Found = { at: number; reason: string } | undefined;

/** What may come next. */
type State = 'value' | 'first-member' | 'member' | 'first-element' | 'after' | 'end';

class FaultFinder {
  private at = 0;
  private state: State = 'value';
  /** The closing brackets that are awaited. */
  private readonly closings: ('}' | ']')[] = [];

  constructor(private readonly text: string) {}

  *find(): SlicedWork<Found> {
    let yieldAt = PIECE;
    for (;;) {
      this.skipBlanks();
      if (this.at >= yieldAt) {
        yield;
        yieldAt = this.at + PIECE;
      }
      if (this.at === this.text.length) return this.state === 'end' ? undefined : this.fault(this.expectedAtEnd());
      const fault = this.next();
      if (fault) return fault;
    }
  }

  private next(): Found {
    switch (this.state) {
      case 'end':
        return this.fault('there is more text after the end of the value');
      case 'after':
        return this.afterValue();
      case 'first-member':
        return this.take('}') ? this.close() : this.member();
      case 'member':
        return this.member();
      case 'first-element':
        return this.take(']') ? this.close() : this.value();
      case 'value':
        return this.value();
    }
  }

  private afterValue(): Found {
    const closing = this.closings.at(-1);
    if (closing !== undefined && this.take(closing)) return this.close();
    if (!this.take(',')) return this.fault(`expected a comma or ${closing}`);
    this.state = closing === '}' ? 'member' : 'value';
    return undefined;
  }

  private member(): Found {
    const sign = this.sign();
    if (sign === '}') return this.fault('a comma must not follow the last member');
    if (sign !== '"') return this.fault(`expected a name in double quotes${this.hint()}`);
    const fault = this.string();
    if (fault) return fault;
    this.skipBlanks();
    if (!this.take(':')) return this.fault('expected a colon after the name');
    this.state = 'value';
    return undefined;
  }

  private value(): Found {
    const { text } = this;
    const sign = this.sign();
    if (this.take('{')) return this.open('}');
    if (this.take('[')) return this.open(']');
    if (sign === '"') return this.string() ?? this.endValue();
    if (sign === ']' || sign === '}')
      return this.fault(sign === ']' ? 'a comma must not follow the last element' : 'expected a value');
    const token = matchAt(NUMBER, text, this.at) ?? LITERALS.find((literal) => text.startsWith(literal, this.at));
    if (token === undefined) return this.fault(`expected a value${this.hint()}`);
    this.at += token.length;
    return this.endValue();
  }

  /** Moves behind the string. */
  private string(): Found {
    const { text } = this;
    const start = this.at++;
    for (; this.at < text.length; this.at++) {
      const code = text.charCodeAt(this.at);
      if (code === 0x22) {
        this.at++;
        return undefined;
      }
      if (code < 0x20)
        return this.fault('a text must not contain a line break or another control character: write \\n');
      if (code !== 0x5c) continue;
      const escape = matchAt(ESCAPE, text, this.at);
      if (escape === undefined)
        return this.fault('a backslash must begin one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\u0000');
      this.at += escape.length - 1;
    }
    this.at = start;
    return this.fault('the text that begins here has no closing double quote');
  }

  private open(closing: '}' | ']'): Found {
    this.closings.push(closing);
    this.state = closing === '}' ? 'first-member' : 'first-element';
    return undefined;
  }

  private close(): Found {
    this.closings.pop();
    return this.endValue();
  }

  private endValue(): Found {
    this.state = this.closings.length === 0 ? 'end' : 'after';
    return undefined;
  }

  /** Says what is wrong with the sign, if it is a common mistake. */
  private hint(): string {
    const sign = this.sign();
    if (sign === "'") return ', not in single quotes';
    if (sign === '/' || sign === '#') return '; JSON has no comments';
    const word = matchAt(WORD, this.text, this.at);
    if (word !== undefined && ['undefined', 'NaN', 'Infinity', 'None', 'True', 'False'].includes(word))
      return `, not ${word}`;
    return '';
  }

  private expectedAtEnd(): string {
    const closing = this.closings.at(-1);
    return closing === undefined ? 'the text ends before the value' : `the text ends before the closing ${closing}`;
  }

  private sign(): string {
    return this.text.charAt(this.at);
  }

  private take(sign: string): boolean {
    if (this.sign() !== sign) return false;
    this.at++;
    return true;
  }

  private skipBlanks(): void {
    const { text } = this;
    for (; this.at < text.length; this.at++) {
      const code = text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
    }
  }

  private fault(reason: string): Found {
    return { at: this.at, reason };
  }
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function placeOf(text: string, at: number): { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  for (let end = text.indexOf('\n'); end !== -1 && end < at; end = text.indexOf('\n', end + 1)) {
    line++;
    lineStart = end + 1;
  }
  let column = 1;
  for (let index = lineStart; index < at; index++) if ((text.charCodeAt(index) & 0xfc00) !== 0xdc00) column++;
  return { line, column };
}
