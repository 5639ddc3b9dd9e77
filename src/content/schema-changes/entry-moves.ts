import type { SlicedWork } from '../../admission/sliced-work.js';
import type { FieldChange } from '../../fields/changes/changes.js';
import type { CompiledField } from '../../fields/compiled-field.js';
import { type FieldDefinition, valueKey } from '../../fields/field-definition.js';
import { hiddenKey, Reshaping } from '../../fields/changes/hidden-values.js';
import type { Renames } from '../../fields/changes/renames.js';
import type { ValueMoves } from './value-moves.js';

type Values = Record<string, unknown>;

/** An entry whose values are moved. `before` stays as it is. */
interface MovedEntry {
  readonly before: Values;
  values: Values;
  /** The values of removed fields. */
  retired: Values;
  /** Whether a value was moved, converted, or moved to or from `retired`. */
  isMoved: boolean;
}

/** The parts of a change of a content type that move values. */
interface MovingParts {
  removed: readonly FieldDefinition[];
  returning: readonly FieldDefinition[];
  /** Groups and blocks in which definitions were removed, renamed or retyped, or return. */
  reshaped: readonly { old: CompiledField; next: CompiledField }[];
  changes: readonly FieldChange[];
  renames: Renames;
  /** What becomes of the values of fields of entries, as a whole. What is inside them is reshaped. */
  ownMoves: ValueMoves;
}

/** Moves the values of entries to where they belong after a change of their content type. */
export class EntryMoves {
  /** Whether any entry may have values that move. */
  readonly isEmpty: boolean;

  constructor(private readonly parts: MovingParts) {
    const { removed, returning, reshaped, renames, ownMoves } = parts;
    this.isEmpty = removed.length + returning.length + reshaped.length + renames.size === 0 && ownMoves.isEmpty;
  }

  /** Moves the values of an entry to where they belong after the change, and notes whether any was moved. */
  *move(entry: MovedEntry): SlicedWork<void> {
    const { before } = entry;
    let values = { ...before };
    entry.retired = this.renamedRetired(entry);
    for (const field of this.parts.removed) {
      if (move(values, field.name, entry.retired, valueKey(field))) entry.isMoved = true;
    }
    if (!this.parts.ownMoves.isEmpty) {
      if (Object.keys(values).some((name) => this.parts.ownMoves.nameOf(name) !== name)) entry.isMoved = true;
      const moved = yield* this.parts.ownMoves.apply(values);
      entry.isMoved ||= this.parts.changes.some(({ after, convert }) => {
        const name = after?.name ?? '';
        return convert !== undefined && Object.hasOwn(values, name) && values[name] !== moved[name];
      });
      values = moved;
    }
    for (const field of this.parts.returning) {
      if (move(entry.retired, valueKey(field), values, field.name)) entry.isMoved = true;
    }
    entry.values = values;
    for (const { old, next } of this.parts.reshaped) {
      const reshaping = new Reshaping(this.parts.renames);
      if (yield* reshape(reshaping, entry, old, next)) entry.isMoved = true;
    }
  }

  /** The values of removed fields, whose keys begin with the name and the type, under the new names. */
  private renamedRetired(entry: MovedEntry): Values {
    if (this.parts.renames.size === 0) return entry.retired;
    const renamed: Values = {};
    const moved: Values = {};
    for (const [key, value] of Object.entries(entry.retired)) {
      const place = key.indexOf('/');
      const to = this.parts.ownMoves.renamed(key.slice(0, place));
      if (to === undefined) renamed[key] = value;
      else moved[to + key.slice(place)] = value;
    }
    if (Object.keys(moved).length > 0) entry.isMoved = true;
    return { ...renamed, ...moved };
  }
}

/** Renames, converts, hides and brings back values inside a value of an entry. Returns false if nothing was changed. */
function* reshape(
  reshaping: Reshaping,
  { values, retired }: MovedEntry,
  old: CompiledField,
  next: CompiledField,
): SlicedWork<boolean> {
  const { name, definition } = next;
  if (!Object.hasOwn(values, name)) return false;
  const key = hiddenKey(definition);
  const { value, hidden } = yield* reshaping.value(old, next, values[name], retired[key]);
  if (!reshaping.isMoved) return false;
  values[name] = value;
  if (hidden) retired[key] = hidden;
  else delete retired[key];
  return true;
}

/** Moves a value. Returns false if it does not exist. */
function move(from: Values, name: string, to: Values, newName: string): boolean {
  if (!Object.hasOwn(from, name)) return false;
  to[newName] = from[name];
  delete from[name];
  return true;
}
