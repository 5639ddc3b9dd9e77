import { RE2JS } from 're2js';

/** Instructions a pattern may compile to. `^[a-z]{1,1000}$` has 2,002. */
const MAX_SIZE = 2_500;

/** Compiling costs about as much per instruction as this many steps of matching. */
const COMPILE_STEPS = 40;

/** What the cache of compiled patterns may hold, in bytes. */
const CACHE_BYTES = 128_000_000;

/** What an engine takes before it matched anything, and what it keeps at most however much it matched. */
const ENGINE_BYTES = { least: 200_000, most: 8_000_000 };

/**
 * What one request may spend on patterns, in steps (an instruction looked at for a character: some 20 ns, 100 at worst).
 * Linear time is not enough against a long pattern over a long text: their product is what stalls a server.
 */
export class Effort {
  private steps = 5_000_000;

  /** Takes that many steps; answers false, and takes none, when they are not left. */
  spend(steps: number): boolean {
    if (steps > this.steps) return false;
    this.steps -= steps;
    return true;
  }

  /** Takes steps that were done already, as far as they are left. */
  charge(steps: number): void {
    this.steps = Math.max(0, this.steps - steps);
  }
}

/** Says in a few words why the linear-time engine can't take a pattern, or undefined when it can. Never throws. */
export function patternFault(source: string, effort: Effort): string | undefined {
  if (!effort.spend(MAX_SIZE)) return 'is too complex, together with the other patterns';
  let size: number;
  try {
    size = compile(source).programSize();
  } catch (error) {
    return `is not a regular expression in RE2 syntax: ${reason(error)}`;
  }
  effort.charge(size * COMPILE_STEPS);
  return size > MAX_SIZE ? 'is too complex' : undefined;
}

/** Whether the pattern is found anywhere in the text; undefined when the effort does not suffice to know. */
export function patternMatches(source: string, text: string, effort: Effort): boolean | undefined {
  const pattern = cached(source);
  if (!effort.spend(pattern.size * (text.length + 1))) return undefined;
  grow(pattern, text.length);
  return pattern.engine.test(text);
}

interface Cached {
  engine: RE2JS;
  size: number;
  bytes: number;
}

/** Least recently used first. Module-wide, so that all schemas together stay within one bound. */
const cache = new Map<string, Cached>();
let cachedBytes = 0;

function cached(source: string): Cached {
  const known = cache.get(source);
  const pattern = known ?? load(source);
  if (known) cache.delete(source);
  else cachedBytes += pattern.bytes;
  cache.set(source, pattern);
  return pattern;
}

function load(source: string): Cached {
  const engine = compile(source);
  return { engine, size: engine.programSize(), bytes: ENGINE_BYTES.least };
}

/** Counts what an engine may remember: a state for each character, with its instructions and a table of the next ones. */
function grow(pattern: Cached, characters: number): void {
  const bytes = Math.min(characters * (pattern.size * 8 + 10_000), ENGINE_BYTES.most - pattern.bytes);
  pattern.bytes += bytes;
  cachedBytes += bytes;
  for (const [source, oldest] of cache) {
    if (cachedBytes <= CACHE_BYTES) break;
    cache.delete(source);
    cachedBytes -= oldest.bytes;
  }
}

function compile(source: string): RE2JS {
  // The translation reads what JavaScript writes and RE2 does not know: \u00e4, (?<name>…), [^].
  return RE2JS.compile(RE2JS.translateRegExp(source));
}

function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : 'unknown';
  return message.replace('error parsing regexp: ', '').slice(0, 100);
}
