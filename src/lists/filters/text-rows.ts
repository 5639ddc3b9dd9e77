import type { Bindings } from '../../database/bindings.js';
import { DISCRIMINATORS } from '../../fields/sort-key.js';
import { fold } from '../../fields/formats/text.js';
import type { TextPart } from './value-conditions.js';

/**
 * Conditions for values that contain one of the texts or begin with it, ignoring case. For most values the key suffices, because it is the
 * value in lower case. If the key loses information (accents, the end of a long text), the value itself is read (`inValue`), unless the key
 * already rules out a match. `alias` is a row with `sort_key` and `discriminator`.
 */
export function textRows(parts: readonly TextPart[], alias: string, bindings: Bindings, inValue: string): string[] {
  const key = `${alias}.sort_key`;
  const found = ({ atStart }: TextPart, wanted: string) =>
    atStart ? `starts_with(${key}, ${wanted})` : `strpos(${key}, ${wanted}) > 0`;
  const startsWith = (discriminator: string) => `starts_with(${alias}.discriminator, ${bindings.add(discriminator)})`;
  const inKey = parts.map((part) => found(part, bindings.add(part.folded))).join(' OR ');
  const inFold = parts.map((part) => {
    const lowered = part.text.toLowerCase();
    // A value that equals its fold, except for case, contains nothing that folding changes.
    return fold(part.text) === lowered ? found(part, bindings.add(lowered)) : 'false';
  });
  const test = `CASE WHEN ${startsWith(DISCRIMINATORS.cut)} THEN ${inValue}
      WHEN ${startsWith(DISCRIMINATORS.accented)} THEN (${inKey}) AND ${inValue}
      ELSE ${inFold.join(' OR ')} END`;
  const [part, ...others] = parts;
  if (!part?.atStart || part.folded === '' || others.length > 0) return [test];
  return [`${key} >= ${bindings.add(part.folded)}`, `${key} < ${bindings.add(`${part.folded}\u{10ffff}`)}`, test];
}

/** SQL that tests whether the text `value` contains one of the texts or begins with it, ignoring case. */
export function textTest(parts: readonly TextPart[], bindings: Bindings): (value: string) => string {
  const wanted = parts.map(({ text }) => `lower(${bindings.add(text)}::text COLLATE "und-x-icu")`);
  return (value) => {
    const lowered = `lower((${value}) COLLATE "und-x-icu")`;
    const tests = parts.map(({ atStart }, index) =>
      atStart ? `starts_with(${lowered}, ${wanted[index]})` : `strpos(${lowered}, ${wanted[index]}) > 0`,
    );
    return tests.join(' OR ');
  };
}
