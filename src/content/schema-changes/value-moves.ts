import type { SlicedWork } from '../../admission/sliced-work.js';
import type { FieldChange } from '../../fields/changes/changes.js';
import type { CompiledField } from '../../fields/compiled-field.js';
import {
  type Conversion,
  conversionOf,
  type ConvertedField,
  convertedField,
} from '../../fields/changes/conversions.js';
import { type FieldDefinition, valueType } from '../../fields/field-definition.js';
import { isRecord } from '../../fields/record.js';
import { type Fields, nameBefore, type Renames } from '../../fields/changes/renames.js';
import type { EntryFields } from '../entries/writes/entry-values.js';

/** A field as the log of a content type has it: what a value of it needs to be read as one of another field. */
type LoggedField = ConvertedField & { name: string };

/** A field that got another name or whose values were converted, or in which this happened. */
export interface LoggedMove {
  from: LoggedField;
  to: LoggedField;
  /** What happened inside a group, or inside the blocks of a list by their names. */
  inside?: { block?: string; moves: LoggedMove[] }[];
}

interface Move {
  from: string;
  to: string;
  convert: Conversion | undefined;
  inside?: ReadonlyMap<unknown, ValueMoves>;
}

/**
 * What a change of a content type does to the values that an entry, a draft or a version holds: it moves them to new names and converts them.
 * All moves happen at once, so two fields can swap their names.
 */
export class ValueMoves {
  private readonly bySource: ReadonlyMap<string, Move>;
  /** Names that values move to. A value that is stored there already is one of a field that was removed. */
  private readonly targets: ReadonlySet<string>;

  private constructor(private readonly moves: readonly Move[]) {
    this.bySource = new Map(moves.map((move) => [move.from, move]));
    this.targets = new Set(moves.map(({ to }) => to));
  }

  /** Of the fields of a content type, each as a whole. `renames` may also name fields that were removed earlier. */
  static of(changes: readonly FieldChange[], renames: Renames): ValueMoves {
    const moves = changes.flatMap(({ before, after, convert }) => {
      if (!before || !after || (!convert && before.name === after.name)) return [];
      return { from: before.name, to: after.name, convert };
    });
    const known = new Set(moves.map(({ to }) => to));
    const others = [...renames].filter(([to]) => !known.has(to) && !to.includes('.'));
    return new ValueMoves([...moves, ...others.map(([to, from]) => ({ from, to, convert: undefined }))]);
  }

  static ofLog(log: readonly LoggedMove[]): ValueMoves {
    return new ValueMoves(
      log.map(({ from, to, inside }) => ({
        from: from.name,
        to: to.name,
        convert: conversionOf(from, to),
        ...(inside && { inside: new Map(inside.map(({ block, moves }) => [block, ValueMoves.ofLog(moves)])) }),
      })),
    );
  }

  get isEmpty(): boolean {
    return this.moves.length === 0;
  }

  /** The new name of a field; undefined if nothing of it is left because another field has its name now. */
  nameOf(name: string): string | undefined {
    return this.bySource.get(name)?.to ?? (this.targets.has(name) ? undefined : name);
  }

  /** The new name of a field that gets another one. */
  renamed(name: string): string | undefined {
    const to = this.bySource.get(name)?.to;
    return to === name ? undefined : to;
  }

  /** Whether the field gets another name or other values, or another field takes its name. */
  concerns(name: string): boolean {
    return this.bySource.has(name) || this.targets.has(name);
  }

  /** Whether the field gets other values, not only another name. */
  changes(name: string): boolean {
    const { convert, inside } = this.bySource.get(name) ?? {};
    return convert !== undefined || inside !== undefined;
  }

  /** The value under its new name; undefined if none is left. */
  *valueOf(name: string, value: unknown): SlicedWork<unknown> {
    const { convert, inside } = this.bySource.get(name) ?? {};
    const converted = convert ? convert(value) : value;
    return inside ? yield* movedInside(inside, converted) : converted;
  }

  /** The values as they are after the change, in the same order. */
  *apply(values: EntryFields): SlicedWork<EntryFields> {
    const moved: EntryFields = {};
    for (const [name, value] of Object.entries(values)) {
      const to = this.nameOf(name);
      const next = to === undefined ? undefined : yield* this.valueOf(name, value);
      if (to !== undefined && next !== undefined) moved[to] = next;
      yield;
    }
    return moved;
  }
}

function* movedInside(inside: ReadonlyMap<unknown, ValueMoves>, value: unknown): SlicedWork<unknown> {
  if (!Array.isArray(value)) return isRecord(value) ? yield* movedItem(inside, value) : value;
  const items: unknown[] = [];
  for (const item of value as unknown[]) {
    items.push(isRecord(item) ? yield* movedItem(inside, item) : item);
    yield;
  }
  return items;
}

function* movedItem(inside: ReadonlyMap<unknown, ValueMoves>, item: EntryFields): SlicedWork<EntryFields> {
  const moves = inside.get(undefined) ?? inside.get(item['block']);
  return moves ? yield* moves.apply(item) : item;
}

/** The moves of a change, for the log that old versions are read through. `retired` are the definitions removed before. */
export function loggedMoves(
  old: Fields,
  next: Fields,
  change: { renames: Renames; retired: readonly FieldDefinition[] },
): LoggedMove[] {
  return next.fields.flatMap((after) => {
    const { renames, retired } = change;
    const from = nameBefore(after, renames);
    const before = old.field(from);
    if (before) return loggedMove(before, after, change);
    if (from === after.name) return [];
    const key = after.key.slice(0, after.key.length - after.name.length) + from;
    const earlier = retired.filter(({ name }) => name === key).at(-1) ?? after.definition;
    return { from: logged({ ...earlier, name: from }), to: logged({ ...earlier, name: after.name }) };
  });
}

function loggedMove(
  before: CompiledField,
  after: CompiledField,
  change: { renames: Renames; retired: readonly FieldDefinition[] },
): LoggedMove[] {
  const [from, to] = [logged(before.definition), logged(after.definition)];
  const isRetyped = valueType(from) !== valueType(to);
  const inside = isRetyped
    ? []
    : after.parts.flatMap((part) => {
        const had = before.parts.find(({ block }) => block === part.block);
        const moves = had ? loggedMoves(had, part, change) : [];
        return moves.length > 0 ? { ...(part.block !== undefined && { block: part.block }), moves } : [];
      });
  const converts = isRetyped && conversionOf(from, to) !== undefined;
  if (!converts && inside.length === 0 && from.name === to.name) return [];
  return [{ from, to, ...(inside.length > 0 && { inside }) }];
}

/** Leaves out what the log does not need. */
function logged(field: LoggedField): LoggedField {
  return { name: field.name, ...convertedField(field) };
}
