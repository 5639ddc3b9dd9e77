import type { SlicedWork } from '../../admission/sliced-work.js';
import { digestSliced } from '../../json/json-digest.js';
import type { CompiledField, FieldList } from '../compiled-field.js';
import { conversionOf } from './conversions.js';
import { type FieldDefinition, valueKey, valueType } from '../field-definition.js';
import { isRecord, supplied } from '../record.js';
import { byNamesBefore, type Renames } from './renames.js';

/**
 * What is hidden inside a value, because its definitions were removed. Of an object: the hidden values by `valueKey`, and what is hidden in
 * the values of other names by these names. Of a list: `of`, the digest of the list as it is shown, and `at`, by the place in the whole
 * list, a hidden item or what is hidden in a shown one. In a hidden value, all values are named by `valueKey`, and an item has its block as
 * `block/`. So a hidden value says by itself which definitions bring it back.
 */
type Hidden = Record<string, unknown>;

/** A value, and what is hidden inside it; undefined if nothing is. */
interface Shown {
  value: unknown;
  hidden?: Hidden;
}

type Item = Record<string, unknown>;

const BLOCK_KEY = 'block/';

/** The name of what is hidden inside the values of a field, in the `retired` values of an entry. No `valueKey` is like it. */
export function hiddenKey(definition: FieldDefinition): string {
  return `${valueKey(definition)}/inside`;
}

/** The definitions and blocks inside a field, named by their keys (see `CompiledField`), without those inside them. */
export function definitionsInside(field: CompiledField): FieldDefinition[] {
  return field.parts.flatMap(({ block, fields }) => [
    ...(block === undefined ? [] : [{ name: `${field.key}.${block}`, type: 'blocks' }]),
    ...fields.flatMap((inner) => [
      { ...inner.definition, name: inner.key, fields: undefined, blocks: undefined },
      ...definitionsInside(inner),
    ]),
  ]);
}

/**
 * Changes the values of a group or blocks field from its definitions before to those after: renames and converts values, hides those whose
 * definition is gone, and brings back those whose definition has returned, at their places. In a list, they come back only if the list is
 * still as it was.
 */
export class Reshaping {
  /** Whether a value was changed or hidden, or has come back. */
  isMoved = false;
  private readonly later = new Map<FieldList, ReadonlyMap<string, CompiledField>>();

  constructor(private readonly renames: Renames) {}

  *value(old: CompiledField, next: CompiledField, value: unknown, hidden: unknown): SlicedWork<Shown> {
    const [before] = old.parts;
    const [after] = next.parts;
    if (valueType(old.definition) !== valueType(next.definition)) return { value: this.converted(old, next, value) };
    if (!before || !after) return { value };
    if (!next.multiple) return isRecord(value) ? yield* this.item(before, after, value, hidden) : { value };
    return Array.isArray(value) ? yield* this.list(old, next, value, hidden) : { value };
  }

  private *list(old: CompiledField, next: CompiledField, value: unknown[], hidden: unknown): SlicedWork<Shown> {
    const list = new WholeList();
    for (const one of yield* wholeList(value, hidden)) {
      yield;
      if ('hiddenItem' in one) {
        const part = hiddenPart(next, one.hiddenItem);
        if (part) list.show(yield* this.revealedItem(part, one.hiddenItem));
        else list.hide(one.hiddenItem);
        continue;
      }
      const { item } = one;
      const [before, after] = isRecord(item) ? [old.partOf(item), next.partOf(item)] : [];
      if (!isRecord(item) || !before) list.show({ value: item });
      else if (after) list.show(yield* this.item(before, after, item, one.hidden));
      else list.hide(yield* this.hiddenItem(before, item, one.hidden));
    }
    return yield* list.shown();
  }

  private *item(old: FieldList, next: FieldList, item: Item, hidden: unknown): SlicedWork<Shown> {
    const earlier = isRecord(hidden) ? hidden : {};
    const value: Item = {};
    const rest: Hidden = {};
    for (const [name, inner] of Object.entries(item)) {
      const [before, after] = [old.field(name), this.laterOf(next).get(name)];
      const inside = supplied(earlier, name);
      if (before && !after) rest[valueKey(before.definition)] = yield* this.hidden(before, inner, inside);
      else if (before && after) {
        if (after.name !== name) this.isMoved = true;
        put(value, rest, after.name, yield* this.value(before, after, inner, inside));
      } else value[name] = inner;
    }
    yield* this.reveal(next, earlier, value, rest);
    return withHidden(value, rest);
  }

  /** Adds the hidden values whose definitions are in `next` to `value`, and the others to `rest`. */
  private *reveal(next: FieldList, hidden: Hidden, value: Item, rest: Hidden): SlicedWork<void> {
    for (const [keyBefore, inner] of Object.entries(hidden)) {
      if (!keyBefore.includes('/') || keyBefore === BLOCK_KEY) continue;
      const key = this.renamedKey(next, keyBefore);
      const field = next.field(key.slice(0, key.indexOf('/')));
      // A field that has taken the name of a removed one does not bring back the values of that.
      const isOwn = key !== keyBefore || (field && !this.renames.has(field.key));
      const returns = isOwn && field && valueKey(field.definition) === key && !Object.hasOwn(value, field.name);
      if (returns) put(value, rest, field.name, yield* this.revealed(field, inner));
      else if (!Object.hasOwn(rest, key)) rest[key] = inner;
    }
  }

  private laterOf(next: FieldList): ReadonlyMap<string, CompiledField> {
    const later = this.later.get(next) ?? byNamesBefore(next, this.renames);
    this.later.set(next, later);
    return later;
  }

  /** The `valueKey` of a hidden value under the new name of its field. */
  private renamedKey(next: FieldList, key: string): string {
    const place = key.indexOf('/');
    const after = this.laterOf(next).get(key.slice(0, place));
    if (!after || !this.renames.has(after.key)) return key;
    this.isMoved = true;
    return after.name + key.slice(place);
  }

  private converted({ definition: old }: CompiledField, { definition: next }: CompiledField, value: unknown): unknown {
    const convert = conversionOf(old, next);
    if (!convert) return value;
    this.isMoved = true;
    return convert(value);
  }

  private *revealed(field: CompiledField, hidden: unknown): SlicedWork<Shown> {
    this.isMoved = true;
    const [part] = field.parts;
    if (!part) return { value: hidden };
    if (!field.multiple) return isRecord(hidden) ? yield* this.revealedItem(part, hidden) : { value: hidden };
    if (!Array.isArray(hidden)) return { value: hidden };
    const list = new WholeList();
    for (const item of hidden as Hidden[]) {
      const itsPart = hiddenPart(field, item);
      if (itsPart) list.show(yield* this.revealedItem(itsPart, item));
      else list.hide(item);
      yield;
    }
    return yield* list.shown();
  }

  private *revealedItem(part: FieldList, hidden: Hidden): SlicedWork<Shown> {
    this.isMoved = true;
    const value: Item = part.block === undefined ? {} : { block: part.block };
    const rest: Hidden = {};
    yield* this.reveal(part, hidden, value, rest);
    return withHidden(value, rest);
  }

  private *hidden(field: CompiledField, value: unknown, hidden: unknown): SlicedWork<unknown> {
    this.isMoved = true;
    const [part] = field.parts;
    if (!part) return value;
    if (!field.multiple) return isRecord(value) ? yield* this.hiddenItem(part, value, hidden) : value;
    if (!Array.isArray(value)) return value;
    const items: unknown[] = [];
    for (const one of yield* wholeList(value, hidden)) {
      yield;
      if ('hiddenItem' in one) items.push(one.hiddenItem);
      else {
        const itsPart = isRecord(one.item) ? field.partOf(one.item) : undefined;
        if (itsPart) items.push(yield* this.hiddenItem(itsPart, one.item as Item, one.hidden));
      }
    }
    return items;
  }

  private *hiddenItem(part: FieldList, item: Item, hidden: unknown): SlicedWork<Hidden> {
    this.isMoved = true;
    const earlier = isRecord(hidden) ? hidden : {};
    const all: Hidden = part.block === undefined ? {} : { [BLOCK_KEY]: part.block };
    for (const [name, value] of Object.entries(item)) {
      const field = part.field(name);
      if (field) all[valueKey(field.definition)] = yield* this.hidden(field, value, supplied(earlier, name));
    }
    for (const [key, value] of Object.entries(earlier)) {
      if (key.includes('/') && !Object.hasOwn(all, key)) all[key] = value;
    }
    return all;
  }
}

/** An item of a list with its hidden items: one that is shown, with what is hidden in it, or one that is hidden. */
type ListItem = { item: unknown; hidden: unknown } | { hiddenItem: Hidden };

/** Returns the list with the hidden items at their places; only the shown ones if the list is not as it was. */
function* wholeList(value: unknown[], hidden: unknown): SlicedWork<ListItem[]> {
  const isAsItWas = isRecord(hidden) && isRecord(hidden['at']) && hidden['of'] === (yield* digestSliced(value));
  const at = isAsItWas ? (hidden['at'] as Hidden) : {};
  const all: ListItem[] = [];
  let shown = 0;
  for (;;) {
    const here = at[all.length];
    if (isHiddenItem(here)) all.push({ hiddenItem: here });
    else if (shown < value.length) all.push({ item: value[shown++], hidden: here });
    else return all;
  }
}

/** A list in the making. */
class WholeList {
  private readonly items: unknown[] = [];
  private readonly at: Hidden = {};
  private length = 0;

  show({ value, hidden }: Shown): void {
    this.items.push(value);
    if (hidden) this.at[this.length] = hidden;
    this.length++;
  }

  hide(item: Hidden): void {
    this.at[this.length++] = item;
  }

  *shown(): SlicedWork<Shown> {
    const isWhole = Object.keys(this.at).length === 0;
    return { value: this.items, ...(!isWhole && { hidden: { of: yield* digestSliced(this.items), at: this.at } }) };
  }
}

function isHiddenItem(hidden: unknown): hidden is Hidden {
  return isRecord(hidden) && Object.hasOwn(hidden, BLOCK_KEY);
}

/** The definitions of a hidden item, if the field has them. */
function hiddenPart({ parts }: CompiledField, item: Hidden): FieldList | undefined {
  const block = supplied(item, BLOCK_KEY);
  return parts.find((part) => part.block === block);
}

function put(value: Item, rest: Hidden, name: string, shown: Shown): void {
  if (shown.value !== undefined) value[name] = shown.value;
  if (shown.hidden) rest[name] = shown.hidden;
}

function withHidden(value: Item, hidden: Hidden): Shown {
  return { value, ...(Object.keys(hidden).length > 0 && { hidden }) };
}
