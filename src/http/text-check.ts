import type { ValueError } from '../errors/problem.js';

/** Deeper structures are refused: everything that walks a value later may then do so recursively. */
const MAX_DEPTH = 64;
/** More faults than a person would read are not listed. */
const MAX_ERRORS = 100;

/**
 * Finds what can't be stored as it was sent: text that is no valid UTF-8 or that PostgreSQL can't hold (a NUL, a lone surrogate), in values and in
 * property names; numbers out of range; structures that are too deep.
 */
export function checkText(body: unknown): ValueError[] {
  const errors: ValueError[] = [];
  const pending: { value: unknown; path: string; depth: number }[] = [{ value: body, path: '', depth: 0 }];
  for (let next = pending.pop(); next && errors.length < MAX_ERRORS; next = pending.pop()) {
    const { value, path, depth } = next;
    if (typeof value === 'string') {
      const fault = faultOfText(value);
      if (fault) errors.push({ path, code: 'text', message: `${path} contains ${fault}.` });
    } else if (typeof value === 'number' && !Number.isFinite(value)) {
      // `1e400` is JSON, but would be written back as null.
      errors.push({ path, code: 'number', message: `${path} is a number that can't be kept.` });
    } else if (value !== null && typeof value === 'object') {
      if (depth > MAX_DEPTH) {
        errors.push({
          path: path.slice(0, 200),
          code: 'too_deep',
          message: `More than ${MAX_DEPTH} levels are not taken.`,
        });
        continue;
      }
      for (const name of Object.keys(value).reverse()) {
        const below = path ? `${path}.${name}` : name;
        const fault = faultOfText(name);
        if (fault) {
          errors.push({ path: path || 'body', code: 'text', message: `A property name contains ${fault}.` });
        } else {
          const element = Object.getOwnPropertyDescriptor(value, name)?.value as unknown;
          pending.push({ value: element, path: below, depth: depth + 1 });
        }
      }
    }
  }
  return errors;
}

/** What is wrong with a text, or undefined. */
export function faultOfText(text: string): string | undefined {
  if (text.includes('\0')) return 'a NUL character';
  if (!text.isWellFormed()) return 'a lone surrogate';
  return undefined;
}
