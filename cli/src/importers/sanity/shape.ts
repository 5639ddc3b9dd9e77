/** What the values of a field are, as far as the documents tell: Sanity keeps its schema in the code of the studio. */
export type Kind =
  | 'text'
  | 'datetime'
  | 'date'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'reference'
  | 'image'
  | 'slug'
  | 'block'
  | 'object'
  | 'list'
  | 'other';

export type SanityObject = Readonly<Record<string, unknown>> & { _type?: string };

const DATETIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;
const DATE = /^\d{4}-\d\d-\d\d$/;
/** Objects that have no place as such, and are kept as JSON. */
const AS_JSON = new Set([
  'geopoint',
  'crossDatasetReference',
  'globalDocumentReference',
  'code',
  'table',
  'mux.video',
  'color',
]);
/** Objects inside each other. */
const MAX_LEVELS = 20;

/** The shape of a value: everything that was seen at its place. */
export class Shape {
  readonly kinds = new Set<Kind>();
  /** The IDs of the documents that are referred to. */
  readonly targets = new Set<string>();
  /** The fields of objects, by the type of the object and by name. */
  readonly objects = new Map<string, Map<string, Shape>>();
  private inList: Shape | undefined;

  /** The items of lists. */
  get items(): Shape {
    return (this.inList ??= new Shape());
  }

  see(value: unknown, level = 0): void {
    if (value === null || value === undefined) return;
    const kind = level > MAX_LEVELS ? 'other' : kindOf(value);
    this.kinds.add(kind);
    if (kind === 'list') for (const item of value as unknown[]) this.items.see(item, level + 1);
    else if (kind === 'reference') this.targets.add(baseId((value as { _ref: string })._ref));
    else if (kind === 'object' || kind === 'block') this.seeObject(value as SanityObject, level);
  }

  private seeObject(value: SanityObject, level: number): void {
    const type = value._type ?? '';
    const fields = this.objects.get(type) ?? new Map<string, Shape>();
    this.objects.set(type, fields);
    for (const [name, one] of Object.entries(value)) {
      if (name.startsWith('_')) continue;
      const shape = fields.get(name) ?? new Shape();
      fields.set(name, shape);
      shape.see(one, level + 1);
    }
  }
}

export function kindOf(value: unknown): Kind {
  if (typeof value === 'string') return DATETIME.test(value) ? 'datetime' : DATE.test(value) ? 'date' : 'text';
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'integer' : 'number';
  if (typeof value === 'boolean') return 'boolean';
  return Array.isArray(value) ? 'list' : kindOfObject(value as SanityObject);
}

function kindOfObject(value: SanityObject): Kind {
  const { _type, _ref, asset, _sanityAsset: archived } = value;
  if (AS_JSON.has(_type ?? '')) return 'other';
  if (typeof archived === 'string' || typeof (asset as { _ref?: unknown } | undefined)?._ref === 'string')
    return 'image';
  if (typeof (asset as { _sanityAsset?: unknown } | undefined)?._sanityAsset === 'string') return 'image';
  if (_type === 'image' || _type === 'file') return 'image';
  if (typeof _ref === 'string') return 'reference';
  if (_type === 'slug' || (Object.keys(value).length === 1 && typeof value['current'] === 'string')) return 'slug';
  return _type === 'block' ? 'block' : 'object';
}

/** The ID of a document without that of its draft. */
export function baseId(id: string): string {
  return id.replace(/^drafts\./, '');
}
