import { entryMark, fileMark, htmlMark, type FieldDraft } from '../moving/model.js';
import { fieldNameOf, labelOf } from '../moving/names.js';
import type { Report } from '../moving/report.js';
import { assetKeyOf } from './asset-keys.js';
import { portableHtml } from './portable-html.js';
import { baseId, type Kind, kindOf, type SanityObject, Shape } from './shape.js';

/** Groups and blocks inside each other, and definitions of a content type. */
const MAX_LEVELS = 5;
const MAX_DEFINITIONS = 280;
const MAX_FIELDS = 95;

export const sanityKey = (id: string) => `document ${id}`;

/** A field, and what its values become. */
export interface PlannedField {
  from: string;
  to: FieldDraft;
  convert: Convert;
}

type Convert = (value: unknown) => unknown;
type Planned = { to: Omit<FieldDraft, 'name'>; convert: Convert };

interface PlanContext {
  /** The slug of the content type of a document; undefined if there is no such document. */
  slugOf(id: string): string | undefined;
  report: Report;
  /** Where the document is that is converted now, for people. */
  where: { text: string };
}

/** Plans the fields of a content type for the shapes of what its documents have. */
export function planFields(type: string, shapes: ReadonlyMap<string, Shape>, context: PlanContext): PlannedField[] {
  for (let levels = MAX_LEVELS; ; levels--) {
    const fields = new Plan(type, context, levels).fields(shapes, 0).slice(0, MAX_FIELDS);
    if (levels === 0 || definitionsIn(fields.map(({ to }) => to)) <= MAX_DEFINITIONS) return fields;
  }
}

function definitionsIn(fields: readonly FieldDraft[]): number {
  const inner = (field: FieldDraft) => [
    ...(field.fields ?? []),
    ...(field.blocks ?? []).flatMap((block) => block.fields),
  ];
  return fields.reduce((sum, field) => sum + 1 + definitionsIn(inner(field)), 0);
}

const SCALARS: ReadonlySet<Kind> = new Set(['text', 'datetime', 'date', 'integer', 'number', 'boolean']);

class Plan {
  constructor(
    private readonly type: string,
    private readonly context: PlanContext,
    private readonly levels: number,
  ) {}

  fields(shapes: ReadonlyMap<string, Shape>, level: number): PlannedField[] {
    const taken = new Set<string>();
    return [...shapes].flatMap(([from, shape]) => {
      const planned = this.field(shape, level);
      if (!planned) return [];
      const name = fieldNameOf(from, taken);
      taken.add(name);
      if (name !== from)
        this.context.report.add(
          'A field has another name, because its own is reserved or taken.',
          `${this.type}.${from}: ${name}`,
        );
      return [{ from, to: { name, label: labelOf(from), ...planned.to }, convert: planned.convert }];
    });
  }

  private field(shape: Shape, level: number): Planned | undefined {
    const kinds = [...shape.kinds];
    if (kinds.length === 0) return undefined;
    if (kinds.length === 1 && kinds[0] === 'list') return this.list(shape.items, level);
    const one = this.single(shape, level);
    return one ?? this.oneOrMany(shape, level) ?? this.asJson(kinds);
  }

  /** A field that has one value in some documents, and a list in others. */
  private oneOrMany(shape: Shape, level: number): Planned | undefined {
    if (!shape.kinds.has('list')) return undefined;
    const type = scalarOf([...shape.kinds, ...shape.items.kinds].filter((kind) => kind !== 'list'));
    if (type === undefined || shape.items.kinds.has('list') || level > this.levels) return undefined;
    const convert = (value: unknown) =>
      listOf(Array.isArray(value) ? value : [value], (item) => scalarValue(type, item));
    return { to: { type, multiple: true }, convert };
  }

  /** A field for values that are all alike; undefined if they are not. */
  private single(shape: Shape, level: number): Planned | undefined {
    const kinds = [...shape.kinds];
    const scalar = scalarOf(kinds);
    if (scalar !== undefined) return { to: { type: scalar }, convert: (value) => scalarValue(scalar, value) };
    const [kind] = kinds;
    if (kinds.length > 1) return undefined;
    if (kind === 'slug')
      return { to: { type: 'text', unique: level === 0 }, convert: (value) => textIn(value, 'current') };
    if (kind === 'reference') return this.reference(shape);
    if (kind === 'image') return { to: { type: 'media' }, convert: (value) => this.image(value as SanityObject) };
    return kind === 'object' ? this.group(shape, level) : undefined;
  }

  private list(items: Shape, level: number): Planned | undefined {
    const kinds = [...items.kinds];
    if (kinds.length === 0) return undefined;
    if (kinds.includes('block')) {
      const links = { entryKey: sanityKey, note: (message: string) => this.note(message) };
      return { to: { type: 'rich_text' }, convert: (value) => htmlMark(portableHtml(value, links)) };
    }
    const alike = kinds.includes('list') ? undefined : this.single(items, level);
    if (alike && !(kinds[0] === 'object' && items.objects.size > 1)) {
      const to = { ...alike.to, multiple: true };
      delete to.unique;
      return { to, convert: (value) => listOf(value, alike.convert) };
    }
    return this.blocks(items, level) ?? this.asJson(kinds);
  }

  private reference({ targets }: Shape): Planned {
    const slugs = [...new Set([...targets].flatMap((id) => this.context.slugOf(id) ?? []))];
    if (slugs.length === 0) return { to: { type: 'json' }, convert: (value) => value };
    return {
      to: { type: 'reference', content_types: slugs.sort() },
      convert: (value) => entryMark(sanityKey(baseId((value as { _ref: string })._ref))),
    };
  }

  private image(value: SanityObject): unknown {
    const key = assetKeyOf(value);
    if (key === undefined) return undefined;
    const text = [value['alt'], value['altText'], value['caption']].find(
      (one): one is string => typeof one === 'string',
    );
    if ('crop' in value || 'hotspot' in value) this.note('The crop and the hotspot of an image are left out.');
    const others = Object.keys(value).filter((name) => !name.startsWith('_') && !KNOWN_OF_IMAGE.has(name));
    for (const name of others) this.note(`The field ${name} of an image is left out.`);
    return fileMark(key, text?.slice(0, 1_000));
  }

  private group({ objects }: Shape, level: number): Planned | undefined {
    if (level >= this.levels || objects.size !== 1) return undefined;
    const fields = this.fields([...objects.values()][0]!, level + 1);
    if (fields.length === 0) return undefined;
    return {
      to: { type: 'group', fields: fields.map(({ to }) => to) },
      convert: (value) => plannedValues(fields, value as SanityObject),
    };
  }

  /** A list of objects of several types. References and images in it become blocks too. */
  private blocks(items: Shape, level: number): Planned | undefined {
    if (
      level >= this.levels ||
      ![...items.kinds].every((kind) => kind === 'object' || kind === 'reference' || kind === 'image')
    )
      return undefined;
    if (items.objects.has('')) return undefined;
    const taken = new Set<string>();
    const blocks = new Map<string, { name: string; fields: PlannedField[] }>();
    const add = (type: string, fields: PlannedField[]) => {
      const name = fieldNameOf(type, taken);
      taken.add(name);
      if (fields.length > 0) blocks.set(type, { name, fields });
      else this.context.report.add('Objects without fields in a list are left out.', `${this.type} ${type}`);
    };
    for (const [type, shapes] of items.objects) add(type, this.fields(shapes, level + 1));
    for (const kind of ['reference', 'image'] as const) {
      if (!items.kinds.has(kind)) continue;
      const only = new Shape();
      only.kinds.add(kind);
      for (const id of items.targets) only.targets.add(id);
      const planned = this.single(only, level + 1)!;
      add(kind, [{ from: '', to: { name: fieldNameOf(kind), ...planned.to }, convert: planned.convert }]);
    }
    if (blocks.size === 0) return undefined;
    const convert = (item: unknown) => {
      const kind = kindOf(item);
      const block = blocks.get(kind === 'object' ? ((item as SanityObject)._type ?? '') : kind);
      if (!block) return undefined;
      const values =
        kind === 'object' ? plannedValues(block.fields, item as SanityObject) : wrapped(block.fields[0]!, item);
      return { block: block.name, ...values };
    };
    const drafts = [...blocks].map(([type, { name, fields }]) => ({
      name,
      label: labelOf(type),
      fields: fields.map(({ to }) => to),
    }));
    return { to: { type: 'blocks', blocks: drafts }, convert: (value) => listOf(value, convert) };
  }

  private asJson(kinds: readonly Kind[]): Planned {
    if (!kinds.every((kind) => kind === 'other'))
      this.context.report.add(
        'Values of several kinds in one field are kept as JSON.',
        `${this.type}: ${kinds.join(', ')}`,
      );
    return { to: { type: 'json' }, convert: (value) => value };
  }

  private note(message: string): void {
    this.context.report.add(message, this.context.where.text);
  }
}

const KNOWN_OF_IMAGE = new Set(['asset', 'alt', 'altText', 'caption', 'crop', 'hotspot']);

export function plannedValues(fields: readonly PlannedField[], value: SanityObject): Record<string, unknown> {
  const values = fields.flatMap(({ from, to, convert }) => {
    const sent = value[from];
    const one = sent === undefined || sent === null ? undefined : convert(sent);
    return one === undefined || one === null ? [] : [[to.name, one] as const];
  });
  return Object.fromEntries(values);
}

function wrapped({ to, convert }: PlannedField, item: unknown): Record<string, unknown> {
  const one = convert(item);
  return one === undefined ? {} : { [to.name]: one };
}

/** The type for values of these kinds, if they have one in common. */
function scalarOf(kinds: readonly Kind[]): string | undefined {
  if (!kinds.every((kind) => SCALARS.has(kind))) return undefined;
  const has = (...wanted: Kind[]) => kinds.every((kind) => wanted.includes(kind));
  if (has('boolean')) return 'boolean';
  if (has('integer')) return 'integer';
  if (has('integer', 'number')) return 'number';
  if (has('date')) return 'date';
  if (has('date', 'datetime')) return 'datetime';
  return kinds.includes('text') ? 'text' : undefined;
}

function scalarValue(type: string, value: unknown): unknown {
  if (type !== 'text') return value;
  return value === '' ? undefined : String(value);
}

function textIn(value: unknown, name: string): string | undefined {
  const text = (value as Record<string, unknown>)[name];
  return typeof text === 'string' && text !== '' ? text : undefined;
}

function listOf(value: unknown, convert: Convert): unknown[] | undefined {
  const items = (Array.isArray(value) ? value : []).map(convert).filter((item) => item !== undefined && item !== null);
  return items.length > 0 ? items : undefined;
}
