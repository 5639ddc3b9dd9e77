import type { Bindings } from '../../database/statements/bindings.js';
import { DISCRIMINATORS } from '../../fields/sort-key.js';
import { fold } from '../../fields/formats/text.js';
import type { TextPart } from './value-condition.js';

/**
 * Conditions for values that have one of the texts in its position, ignoring case. For most values the key suffices, because it is the
 * value in lower case. If the key loses information (accents, the end of a long text), the value itself is read (`inValue`), unless the key
 * already rules out a match. `alias` is a row with `sort_key` and `discriminator`.
 */
export function textRows(parts: readonly TextPart[], alias: string, bindings: Bindings, inValue: string): string[] {
  const key = `${alias}.sort_key`;
  const startsWith = (discriminator: string) => `starts_with(${alias}.discriminator, ${bindings.add(discriminator)})`;
  const inKey = parts.map((part) => part.position.holds(key, bindings.add(part.folded))).join(' OR ');
  const inFold = parts.map((part) => {
    const lowered = part.text.toLowerCase();
    // A value that equals its fold, except for case, contains nothing that folding changes.
    return fold(part.text) === lowered ? part.position.holds(key, bindings.add(lowered)) : 'false';
  });
  const test = `CASE WHEN ${startsWith(DISCRIMINATORS.cut)} THEN ${inValue}
      WHEN ${startsWith(DISCRIMINATORS.accented)} THEN (${inKey}) AND ${inValue}
      ELSE ${inFold.join(' OR ')} END`;
  const [part, ...others] = parts;
  if (!part?.position.isPrefix || part.folded === '' || others.length > 0) return [test];
  return [`${key} >= ${bindings.add(part.folded)}`, `${key} < ${bindings.add(`${part.folded}\u{10ffff}`)}`, test];
}

/** SQL that tests whether the text `value` has one of the texts in its position, ignoring case. */
export function textTest(parts: readonly TextPart[], bindings: Bindings): (value: string) => string {
  const wanted = parts.map(({ text }) => `lower(${bindings.add(text)}::text COLLATE "und-x-icu")`);
  return (value) => {
    const lowered = `lower((${value}) COLLATE "und-x-icu")`;
    return parts.map(({ position }, index) => position.holds(lowered, wanted[index] ?? '')).join(' OR ');
  };
}
