import type { Type as Class } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { propertiesOf } from '../validation/properties-of.js';
import { suggestionOrList } from '../validation/suggestion.js';

/** Parses the JSON of a variable, `source`. Adds a problem without a value and returns undefined if it isn't JSON. */
export function parseJson(json: string, source: string, problems: string[]): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    // The parser's message quotes the text around the error, which may be a secret. So only report the position.
    const place = /\(line \d+ column \d+\)|at position \d+/.exec((error as Error).message)?.[0];
    problems.push(`${source} must be valid JSON${place ? `; the error is ${place.replace(/[()]/g, '')}` : ''}.`);
    return undefined;
  }
}

/** Returns the error at `path`, a property of `parent`, or otherwise the errors inside it. */
export function describeError(
  { constraints = {}, children = [], property, target = {} }: ValidationError,
  path: string,
  parent: string,
): string[] {
  if (constraints.whitelistValidation) return [unknownProperty(parent, property, target)];
  const [message] = Object.values(constraints);
  if (message) return [`${path} ${message}`];
  return children.flatMap((child) => {
    const step = /^\d+$/.test(child.property) ? `[${child.property}]` : `.${child.property}`;
    return describeError(child, path + step, path);
  });
}

/** Prints a name only if it looks misspelt: an API key that is used as a name must not be printed. `target` is what has the property. */
function unknownProperty(parent: string, name: string, target: object): string {
  const subject = /^[A-Za-z_]{1,24}$/.test(name)
    ? `${parent}.${name} is not a known property`
    : `${parent} has an unknown property`;
  return `${subject}.${suggestionOrList(name, [...propertiesOf(target.constructor as Class)])}`;
}

/** Ends a problem with a full stop, unless it ends like a sentence. */
export function toSentence(problem: string): string {
  return /[.?]$/.test(problem) ? problem : `${problem}.`;
}
