import { isExactNumber } from './exact-number.js';

const STRING = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|[\u007f-\u009f])*"/uy;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const BLANKS = /[ \t\n\r]*/y;
const LITERALS = { true: true, false: false, null: null } as const;

/** A JSON value. Objects are maps, in which every name is an ordinary name. */
export type Json = string | number | boolean | null | readonly Json[] | ReadonlyMap<string, Json>;

/** The text is not JSON, repeats a name in an object, is nested too deeply, or has a number that would become another. */
export class UnreadableJsonError extends Error {
  /** `reason` completes "at position N:" and `index` counts UTF-16 units from 0. */
  constructor(
    readonly reason: string,
    readonly index: number,
  ) {
    super(reason);
  }
}

/**
 * Reads a short JSON text that a person may have written: the errors say where the text is wrong. Unlike `JSON.parse`, refuses an object
 * that repeats a name, because the earlier value would be lost. Throws an UnreadableJsonError.
 */
export function readJson(text: string, maxLevels: number): Json {
  return new Reader(text, maxLevels).whole();
}

class Reader {
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly maxLevels: number,
  ) {}

  whole(): Json {
    const value = this.value(0);
    if (this.peek() !== undefined) throw this.unexpected();
    return value;
  }

  private value(level: number): Json {
    const first = this.peek();
    if (first === '{' || first === '[') {
      if (level === this.maxLevels) throw new UnreadableJsonError('is nested too deeply', this.at);
      return first === '{' ? this.object(level + 1) : this.array(level + 1);
    }
    if (first === '"') return this.string();
    const number = this.match(NUMBER);
    if (number !== undefined && number !== '') {
      if (isExactNumber(number)) return Number(number);
      throw new UnreadableJsonError(
        'has a number that is out of range or has too many digits',
        this.at - number.length,
      );
    }
    for (const [name, literal] of Object.entries(LITERALS)) {
      if (!this.text.startsWith(name, this.at)) continue;
      this.at += name.length;
      return literal;
    }
    throw this.unexpected();
  }

  private object(level: number): Json {
    const members = new Map<string, Json>();
    this.at++;
    if (this.skip('}')) return members;
    do {
      if (this.peek() !== '"') throw this.unexpected();
      const start = this.at;
      const name = this.string();
      if (members.has(name)) throw new UnreadableJsonError(`repeats ${JSON.stringify(name.slice(0, 100))}`, start);
      if (!this.skip(':')) throw this.unexpected();
      members.set(name, this.value(level));
    } while (this.skip(','));
    if (!this.skip('}')) throw this.unexpected();
    return members;
  }

  private array(level: number): Json {
    const elements: Json[] = [];
    this.at++;
    if (this.skip(']')) return elements;
    do elements.push(this.value(level));
    while (this.skip(','));
    if (!this.skip(']')) throw this.unexpected();
    return elements;
  }

  private string(): string {
    const start = this.at;
    const token = this.match(STRING);
    if (token !== undefined) return JSON.parse(token) as string;
    throw new UnreadableJsonError('has a string that does not end or has an invalid character', start);
  }

  /** Returns the next character after blanks, without consuming it; undefined at the end. */
  private peek(): string | undefined {
    this.match(BLANKS);
    const point = this.text.codePointAt(this.at);
    return point === undefined ? undefined : String.fromCodePoint(point);
  }

  private skip(character: string): boolean {
    const isNext = this.peek() === character;
    if (isNext) this.at++;
    return isNext;
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const [token] = pattern.exec(this.text) ?? [];
    if (token !== undefined) this.at += token.length;
    return token;
  }

  private unexpected(): UnreadableJsonError {
    const next = this.peek();
    return new UnreadableJsonError(
      next === undefined ? 'ends too early' : `has an unexpected ${JSON.stringify(next)}`,
      this.at,
    );
  }
}
