import type { FieldDefinition } from '../../../../api/content-types';
import { countedAs } from '../../../../parts/numbers';
import { linesOfHtml } from '../../../content/values/short-text';
import { labelOf } from '../../../content/fields';
import { innerFields } from '../../model/faults';
import { isRecord, isSameValue } from '../../model/values';
import { align, type Aligned } from './align';
import type { Change, FieldChange, ItemChange } from './change';
import { piecesOf } from './pieces';

/** Compares two values of a field of which one at least is there. */
export function compare(definition: FieldDefinition, before: unknown, after: unknown): Change {
  if (definition.type === 'blocks' || definition.multiple)
    return compareItems(definition, listOf(before), listOf(after));
  return compareOne(definition, before, after);
}

function compareOne(definition: FieldDefinition, before: unknown, after: unknown): Change {
  switch (definition.type) {
    case 'group':
    case 'blocks':
      return { kind: 'fields', fields: compareInner(definition, before, after) };
    case 'text':
      return { kind: 'text', pieces: piecesOf(textOf(before), textOf(after)) };
    case 'rich_text':
      return compareRichText(textOf(before), textOf(after));
    case 'json':
      return { kind: 'text', isCode: true, pieces: piecesOf(jsonOf(before), jsonOf(after)) };
    default:
      return { kind: 'value', definition, before, after };
  }
}

/** What people read differs, or else only what makes it look so. */
function compareRichText(before: string, after: string): Change {
  const [had, has] = [linesOfHtml(before), linesOfHtml(after)];
  if (had !== has) return { kind: 'text', pieces: piecesOf(had, has) };
  const note = 'The words are the same. Formatting, links or pictures differ:';
  return { kind: 'text', isCode: true, note, pieces: piecesOf(before, after) };
}

function compareInner(definition: FieldDefinition, before: unknown, after: unknown): readonly FieldChange[] {
  const [had, has] = [recordOf(before), recordOf(after)];
  return (innerFields(definition, after ?? before) ?? []).flatMap((field) => {
    const [one, other] = [had[field.name], has[field.name]];
    return isSameValue(one, other) ? [] : [{ label: labelOf(field), change: compare(field, one, other) }];
  });
}

function compareItems(list: FieldDefinition, before: readonly unknown[], after: readonly unknown[]): Change {
  const single: FieldDefinition = { ...list, multiple: false };
  const isAlike = (from: number, to: number) => kindOf(before[from]) === kindOf(after[to]);
  const aligned = align(before.map(jsonOf), after.map(jsonOf), isAlike);
  return { kind: 'items', items: aligned.map((each) => itemChange(each, { single, before, after })) };
}

interface Lists {
  /** The field, as if it had one value. */
  readonly single: FieldDefinition;
  readonly before: readonly unknown[];
  readonly after: readonly unknown[];
}

function itemChange(aligned: Aligned, { single, before, after }: Lists): ItemChange {
  if (aligned.is === 'same') return { name: countedAs(aligned.count, nounFor(single)), fate: 'not changed' };
  const from = 'from' in aligned ? before[aligned.from] : undefined;
  const to = 'to' in aligned ? after[aligned.to] : undefined;
  const place = ('to' in aligned ? aligned.to : aligned.from) + 1;
  const name = `${itemName(single, to ?? from)} ${place.toLocaleString()}`;
  if (aligned.is === 'moved') return { name, fate: `moved from place ${(aligned.from + 1).toLocaleString()}` };
  return { name, fate: aligned.is, change: compareOne(single, from, to) };
}

function itemName({ type, blocks = [] }: FieldDefinition, item: unknown): string {
  if (type !== 'blocks') return 'Item';
  const kind = blocks.find(({ name }) => name === kindOf(item));
  return kind ? labelOf(kind) : 'Block';
}

function nounFor({ type }: FieldDefinition): string {
  return type === 'blocks' ? 'block' : 'item';
}

/** The kind of a block. Items of other lists are of one kind. */
function kindOf(item: unknown): unknown {
  return isRecord(item) ? item.block : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function textOf(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : jsonOf(value);
}

function jsonOf(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2);
}
