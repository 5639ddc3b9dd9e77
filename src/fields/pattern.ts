import { isMainThread } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import { estimateSize } from './pattern-cost.js';

/** Instructions a pattern may compile to. `^[a-z]{1,1000}$` has 2,002. */
const MAX_SIZE = 2_500;

/** Compiling costs about as much per instruction as this many steps of matching. */
const COMPILE_STEPS = 40;

/** What a millisecond of compiling counts for at least: classes that fold case take long to compile to little. */
const STEPS_PER_MS = 5_000;

/** Instructions and steps up to which a pattern is used on the event loop: two milliseconds, the first time some more. */
const AT_ONCE = { size: 1_000, steps: 20_000 };

/** What the cache of compiled patterns may hold, in bytes. The worker has the large patterns. */
const CACHE_BYTES = isMainThread ? 32_000_000 : 96_000_000;

/** What an engine takes before it matched anything, and what it keeps at most however much it matched. */
const ENGINE_BYTES = { least: 200_000, most: 8_000_000 };

/**
 * What one request may spend on patterns, in steps (an instruction looked at for a character: some 20 ns, 150 at worst).
 * Linear time is not enough against a long pattern over a long text: their product is what stalls a server.
 */
export class Effort {
  constructor(private steps = 5_000_000) {}

  get left(): number {
    return this.steps;
  }

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
  if (!effort.spend(MAX_SIZE)) return 'is too complex in combination with the other patterns';
  const began = performance.now();
  let size: number;
  try {
    size = compile(source).programSize();
  } catch (error) {
    return `is not a valid regular expression in RE2 syntax: ${reason(error)}`;
  }
  effort.charge(Math.max(size * COMPILE_STEPS, (performance.now() - began) * STEPS_PER_MS));
  return size > MAX_SIZE ? 'is too complex' : undefined;
}

/** Whether the pattern is found anywhere in the text; undefined when the effort does not suffice to know. */
export function patternMatches(source: string, text: string, effort: Effort): boolean | undefined {
  return match(source, cached(source), text, effort);
}

/**
 * The same for a check that is so small that it may be done on the event loop: `allowance` is what the request may spend there, on
 * compiling too. Answers 'later' for a larger one, which is then for the pattern worker.
 */
export function patternMatchesAtOnce(
  source: string,
  text: string,
  effort: Effort,
  allowance: Effort,
): boolean | undefined | 'later' {
  let pattern = cache.get(source);
  if (!pattern) {
    const size = estimateSize(source);
    if (size > AT_ONCE.size || size * text.length > AT_ONCE.steps || !allowance.spend(size * COMPILE_STEPS))
      return 'later';
    pattern = cached(source);
  }
  const steps = pattern.size * (text.length + 1);
  if (pattern.size > AT_ONCE.size || steps > AT_ONCE.steps || !allowance.spend(steps)) return 'later';
  return match(source, cached(source), text, effort);
}

/** Whether the patterns compile so fast that they may do so on the event loop. */
export function areSmall(sources: readonly string[], allowance: Effort): boolean {
  return sources.every((source) => {
    const size = estimateSize(source);
    return size <= AT_ONCE.size && allowance.spend(size * COMPILE_STEPS);
  });
}

interface Cached {
  engine: RE2JS;
  size: number;
  bytes: number;
}

/** One cache for all schemas, so that they stay within one bound together. */
const cache = new LRUCache<string, Cached>({ maxSize: CACHE_BYTES, sizeCalculation: ({ bytes }) => bytes });

function cached(source: string): Cached {
  const known = cache.get(source);
  if (known) return known;
  const engine = compile(source);
  const pattern = { engine, size: engine.programSize(), bytes: ENGINE_BYTES.least };
  cache.set(source, pattern);
  return pattern;
}

function match(source: string, pattern: Cached, text: string, effort: Effort): boolean | undefined {
  if (!effort.spend(pattern.size * (text.length + 1))) return undefined;
  grow(source, pattern, text.length);
  return pattern.engine.test(text);
}

/** Counts what an engine may remember: a state for each character, with its instructions and a table of the next ones. */
function grow(source: string, { bytes, ...pattern }: Cached, characters: number): void {
  const grown = Math.min(bytes + characters * (pattern.size * 8 + 10_000), ENGINE_BYTES.most);
  if (grown > bytes) cache.set(source, { ...pattern, bytes: grown });
}

function compile(source: string): RE2JS {
  // The translation reads what JavaScript writes and RE2 does not know: \u00e4, (?<name>…), [^].
  return RE2JS.compile(RE2JS.translateRegExp(source));
}

function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : 'unknown';
  return message.replace('error parsing regexp: ', '').slice(0, 100);
}
