import type { EntryFields } from '../../../api/entry';
import { isSameValue } from './values';

/** A field that two people changed, each in their own way. Undefined: it was emptied. */
export interface Conflict {
  readonly name: string;
  /** The language of the values, if it is not that of the form. */
  readonly locale?: string;
  readonly mine: unknown;
  readonly theirs: unknown;
}

/** Tells conflicts apart. */
export function conflictKey({ name, locale }: Pick<Conflict, 'name' | 'locale'>): string {
  return locale === undefined ? name : `${name}.${locale}`;
}

interface Merged {
  /** With my values where both changed a field. */
  readonly values: EntryFields;
  readonly conflicts: readonly Conflict[];
  /** Fields that only they changed. */
  readonly taken: readonly string[];
}

/** Brings together what two people made of the same values. Only what both changed needs a decision. */
export function merge(base: EntryFields, mine: EntryFields, theirs: EntryFields): Merged {
  const names = new Set([base, mine, theirs].flatMap((each) => Object.keys(each)));
  const values: Record<string, unknown> = {};
  const conflicts: Conflict[] = [];
  const taken: string[] = [];
  for (const name of names) {
    const [before, own, other] = [base[name], mine[name], theirs[name]];
    const isMine = !isSameValue(before, own);
    const isTheirs = !isSameValue(before, other) && !isSameValue(own, other);
    const value = isMine ? own : other;
    if (value !== undefined) values[name] = value;
    if (isMine && isTheirs) conflicts.push({ name, mine: own, theirs: other });
    else if (isTheirs) taken.push(name);
  }
  return { values, conflicts, taken };
}
