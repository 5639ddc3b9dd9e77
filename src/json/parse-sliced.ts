import type { SlicedWork } from '../admission/sliced-work.js';
import { endOfString } from './end-of-string.js';

/** Minimum number of characters that one step parses. The worst text takes about two milliseconds. */
const PIECE = 8_192;

/** Maximum levels of arrays and objects. Requests may have far fewer. */
const MAX_LEVELS = 200;

const BLANK = /^[ \t\n\r]*$/;

/** The text has more than `MAX_LEVELS` levels. */
export class TooDeepError extends Error {}

/**
 * `JSON.parse` in steps. Cuts large arrays and objects between their members, and parses each group of members separately. Throws a
 * SyntaxError for text that is not JSON, and a TooDeepError for more than 200 levels.
 */
export function* parseSliced(text: string): SlicedWork<unknown> {
  if (text.length <= 2 * PIECE) return JSON.parse(text) as unknown;
  return yield* new PieceParser(text).parse();
}

/** An array or object whose end has not been reached. */
interface Level {
  isArray: boolean;
  /** Position of the opening bracket. */
  start: number;
  /** Position of the first member that is not in `value` yet. */
  from: number;
  /** Position of the current member. */
  member: number;
  /** The part that was parsed; undefined if nothing of it was parsed yet. */
  value?: unknown[] | Record<string, unknown>;
  /** The current member is already in `value`, so only blanks may follow it. */
  isAttached: boolean;
}

class PieceParser {
  private readonly levels: Level[] = [];
  /** How many levels, from the outermost, have a value. */
  private begun = 0;
  private parsedTo = 0;
  private root: unknown;

  constructor(private readonly text: string) {}

  *parse(): SlicedWork<unknown> {
    const { text } = this;
    for (let at = 0; at < text.length; at++) {
      switch (text.charCodeAt(at)) {
        case 0x22: // "
          at = endOfString(text, at);
          if (at === -1) throw notJson();
          break;
        case 0x5b: // [
        case 0x7b: // {
          if (this.levels.length === 0 && !BLANK.test(text.slice(0, at))) throw notJson();
          this.open(at);
          break;
        case 0x2c: // ,
          this.endMember(at);
          if (at - this.parsedTo < PIECE) break;
          this.flush(at);
          yield;
          break;
        case 0x5d: // ]
        case 0x7d: // }
          if (!this.close(at)) break;
          if (!BLANK.test(text.slice(at + 1))) throw notJson();
          return this.root;
      }
    }
    // The text is neither an array nor an object, or its end is missing.
    if (this.levels.length > 0) throw notJson();
    return JSON.parse(text) as unknown;
  }

  private open(at: number): void {
    if (this.levels.length >= MAX_LEVELS) throw new TooDeepError();
    const isArray = this.text.charCodeAt(at) === 0x5b;
    this.levels.push({ isArray, start: at, from: at + 1, member: at + 1, isAttached: false });
  }

  private endMember(at: number): void {
    const level = this.levels.at(-1);
    if (!level) throw notJson();
    if (level.isAttached) {
      if (!this.isBlank(level.from, at)) throw notJson();
      level.isAttached = false;
      level.from = at + 1;
    }
    level.member = at + 1;
  }

  /** Ends the innermost level. Returns true if it was also the outermost. */
  private close(at: number): boolean {
    const level = this.levels.at(-1);
    if (!level || level.isArray !== (this.text.charCodeAt(at) === 0x5d)) throw notJson();
    if (level.value || this.levels.length === 1) this.finish(level, at);
    this.levels.pop();
    this.begun = Math.min(this.begun, this.levels.length);
    const parent = this.levels.at(-1);
    if (!parent) this.root = level.value;
    else if (level.value) {
      parent.isAttached = true;
      parent.from = at + 1;
    }
    return parent === undefined;
  }

  /** Adds the last members to a level that ends. */
  private finish(level: Level, end: number): void {
    level.value ??= level.isArray ? [] : {};
    if (!this.isBlank(level.from, end)) {
      if (level.isAttached) throw notJson();
      this.add(level, end);
    } else if (!level.isAttached && level.member !== level.start + 1) {
      // A comma is followed by nothing.
      throw notJson();
    }
    this.parsedTo = end;
  }

  /** Parses all members that are complete at this position, and creates the values of all levels. */
  private flush(at: number): void {
    for (let index = Math.max(0, this.begun - 1); index < this.levels.length; index++) {
      const level = this.levels[index];
      if (!level) break;
      level.value ??= level.isArray ? [] : {};
      if (level.from < level.member) this.add(level, level.member - 1);
      level.from = level.member;
      const next = this.levels[index + 1];
      if (next && !next.value) {
        next.value = next.isArray ? [] : {};
        this.attach(level, next);
      }
    }
    this.begun = this.levels.length;
    this.parsedTo = at;
  }

  /** Parses the members up to `end` and adds them to the level's value. */
  private add({ from, value }: Level, end: number): void {
    const members = this.text.slice(from, end);
    // Brackets around blanks would be valid JSON.
    if (BLANK.test(members)) throw notJson();
    if (Array.isArray(value)) {
      for (const member of JSON.parse(`[${members}]`) as unknown[]) value.push(member);
    } else if (value) {
      const object = JSON.parse(`{${members}}`) as Record<string, unknown>;
      for (const name of Object.keys(object)) set(value, name, object[name]);
    }
  }

  /** Adds the value of `child`, which is the current member of `level`, to the level's value. */
  private attach(level: Level, child: Level): void {
    const before = this.text.slice(level.member, child.start);
    if (Array.isArray(level.value)) {
      if (!BLANK.test(before)) throw notJson();
      level.value.push(child.value);
    } else if (level.value) {
      const [name] = Object.keys(JSON.parse(`{${before}[]}`) as object);
      set(level.value, name ?? '', child.value);
    }
  }

  private isBlank(from: number, to: number): boolean {
    return BLANK.test(this.text.slice(from, to));
  }
}

/** Sets a property like `JSON.parse`: `__proto__` is an ordinary name. */
function set(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

function notJson(): SyntaxError {
  return new SyntaxError('The text is not JSON.');
}
