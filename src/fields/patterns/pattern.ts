import { isMainThread } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import { estimateSize } from './pattern-cost.js';

/** Maximum number of instructions that a pattern may compile to. `^[a-z]{1,1000}$` has 2,002. */
const MAX_SIZE = 2_500;

/** Compiling costs about as much per instruction as this many steps of matching. */
const COMPILE_STEPS = 40;

/**
 * Minimum number of steps that a millisecond of compiling counts as. Classes that ignore case take long but compile to few instructions.
 */
const STEPS_PER_MS = 5_000;

/** A pattern within these limits is matched on the event loop. This takes about two milliseconds, and slightly more the first time. */
const AT_ONCE = { size: 1_000, steps: 20_000 };

/** Maximum size of the cache of compiled patterns, in bytes. The worker compiles the large patterns. */
const CACHE_BYTES = isMainThread ? 32_000_000 : 96_000_000;

/** Bytes that an engine takes before its first match, and at most after any number of matches. */
const ENGINE_BYTES = { least: 200_000, most: 8_000_000 };

/**
 * The steps that one request may spend on patterns. A step tests one instruction on one character: about 20 ns, at worst 150. Linear time
 * alone is no protection, because the product of a long pattern and a long text can stall a server.
 */
export class StepBudget {
  constructor(private steps = 5_000_000) {}

  get left(): number {
    return this.steps;
  }

  /** Takes the steps and returns true. Returns false and takes nothing if not enough steps are left. */
  spend(steps: number): boolean {
    if (steps > this.steps) return false;
    this.steps -= steps;
    return true;
  }

  /** Takes steps that were already done, or all that are left if there are fewer. */
  charge(steps: number): void {
    this.steps = Math.max(0, this.steps - steps);
  }
}

/** Returns why the linear-time engine does not accept a pattern, as the predicate of a sentence; undefined if it does. Never throws. */
export function patternFault(source: string, effort: StepBudget): string | undefined {
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

/** Whether the pattern matches anywhere in the text; undefined if the effort does not suffice. */
export function patternMatches(source: string, text: string, effort: StepBudget): boolean | undefined {
  return match(source, cached(source), text, effort);
}

/**
 * Same as `patternMatches`, for a match that is small enough for the event loop. `allowance` limits what the request may spend there,
 * including on compiling. Returns 'later' for a larger match, which the pattern worker must do.
 */
export function patternMatchesAtOnce(
  source: string,
  text: string,
  effort: StepBudget,
  allowance: StepBudget,
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

/** Whether the patterns are small enough to compile on the event loop. */
export function areSmall(sources: readonly string[], allowance: StepBudget): boolean {
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

/** One cache for all schemas, so that a single limit applies to all of them. */
const cache = new LRUCache<string, Cached>({ maxSize: CACHE_BYTES, sizeCalculation: ({ bytes }) => bytes });

function cached(source: string): Cached {
  const known = cache.get(source);
  if (known) return known;
  const engine = compile(source);
  const pattern = { engine, size: engine.programSize(), bytes: ENGINE_BYTES.least };
  cache.set(source, pattern);
  return pattern;
}

function match(source: string, pattern: Cached, text: string, effort: StepBudget): boolean | undefined {
  if (!effort.spend(pattern.size * (text.length + 1))) return undefined;
  grow(source, pattern, text.length);
  return pattern.engine.test(text);
}

/**
 * Increases the size that the cache counts. For each character, an engine may store a state with its instructions and a table of next
 * states.
 */
function grow(source: string, { bytes, ...pattern }: Cached, characters: number): void {
  const grown = Math.min(bytes + characters * (pattern.size * 8 + 10_000), ENGINE_BYTES.most);
  if (grown > bytes) cache.set(source, { ...pattern, bytes: grown });
}

function compile(source: string): RE2JS {
  // The translation supports JavaScript syntax that RE2 does not know: \u00e4, (?<name>…), [^].
  return RE2JS.compile(RE2JS.translateRegExp(source));
}

function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : 'unknown';
  return message.replace('error parsing regexp: ', '').slice(0, 100);
}
