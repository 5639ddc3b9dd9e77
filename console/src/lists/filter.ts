/** What a value of a field is, to those who filter by it. */
export type FilterKind = 'text' | 'number' | 'boolean' | 'date' | 'time' | 'choice' | 'id' | 'presence';

/** A field that a list filters by. */
export interface FilterField {
  /** As the API names it. */
  readonly name: string;
  readonly label: string;
  readonly kind: FilterKind;
  /** Of a choice: the values, and what they are called. */
  readonly options?: readonly { readonly value: string; readonly label: string }[];
}

/** Operators of the API, and `missing`, which is `exists` with false. */
export type FilterOperator =
  'eq' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte' | 'contains' | 'starts_with' | 'exists' | 'missing';

export interface Condition {
  readonly field: string;
  readonly operator: FilterOperator;
  /** What stands in the box. */
  readonly value: string;
}

export interface Filter {
  readonly match: 'all' | 'any';
  readonly conditions: readonly Condition[];
}

/** The API takes no more. */
export const MAX_CONDITIONS = 20;

const PRESENCE = { exists: 'has a value', missing: 'has no value' } as const;
const EQUALITY = { eq: 'is', ne: 'is not' } as const;

/** The operators for values of each kind, with their words. The first one is chosen at first. */
export const OPERATORS: Readonly<Record<FilterKind, Partial<Record<FilterOperator, string>>>> = {
  text: { contains: 'contains', starts_with: 'starts with', ...EQUALITY, ...PRESENCE },
  number: { ...EQUALITY, gt: 'is more than', gte: 'is at least', lt: 'is less than', lte: 'is at most', ...PRESENCE },
  boolean: { ...EQUALITY, ...PRESENCE },
  date: { ...EQUALITY, gt: 'is after', gte: 'is on or after', lt: 'is before', lte: 'is on or before', ...PRESENCE },
  time: { gte: 'is at or after', lt: 'is before', ...PRESENCE },
  choice: { ...EQUALITY, ...PRESENCE },
  id: { ...EQUALITY, ...PRESENCE },
  presence: PRESENCE,
};

export function operatorsOf(kind: FilterKind): readonly FilterOperator[] {
  return Object.keys(OPERATORS[kind]) as FilterOperator[];
}

/** Whether a condition with this operator has a value. */
export function needsValue(operator: FilterOperator): boolean {
  return operator !== 'exists' && operator !== 'missing';
}

/** A condition to begin with. */
export function newCondition(field: FilterField | undefined): Condition {
  const { name = '', kind = 'text', options } = field ?? {};
  return { field: name, operator: operatorsOf(kind)[0] ?? 'eq', value: firstValue(kind, options) };
}

/** What a box holds before anybody has filled it in: lists to choose from hold their first value. */
export function firstValue(kind: FilterKind, options: FilterField['options']): string {
  if (kind === 'boolean') return 'true';
  return kind === 'choice' ? (options?.[0]?.value ?? '') : '';
}

/** What is wrong with the value of a condition, as a sentence. */
export function faultOf({ operator, value }: Condition, field: FilterField | undefined): string | undefined {
  if (!field) return 'Choose a field.';
  if (!needsValue(operator)) return undefined;
  if (value.trim() === '') return 'Enter a value.';
  if (field.kind === 'number' && numberIn(value) === undefined) return 'Enter a number.';
  if (field.kind === 'time' && Number.isNaN(Date.parse(value))) return 'Enter a date and a time.';
  return undefined;
}

/** Reads a number as people of Europe and America write it, without signs between thousands. */
export function numberIn(value: string): number | undefined {
  const text = value.trim().replace(',', '.');
  return /^[-+]?\d*\.?\d+(e[-+]?\d+)?$/i.test(text) ? Number(text) : undefined;
}

/** The filter in words: `title contains “tide” and price is more than 5`. */
export function wordsOf({ match, conditions }: Filter, fields: readonly FilterField[]): string {
  return conditions.map((condition) => wordsOfOne(condition, fields)).join(match === 'all' ? ' and ' : ' or ');
}

function wordsOfOne({ field: name, operator, value }: Condition, fields: readonly FilterField[]): string {
  const field = fields.find((each) => each.name === name);
  const words = `${field?.label ?? name} ${OPERATORS[field?.kind ?? 'text'][operator] ?? operator}`;
  if (!needsValue(operator)) return words;
  if (field?.kind === 'boolean') return `${words} ${value === 'true' ? 'Yes' : 'No'}`;
  const label = field?.options?.find((option) => option.value === value)?.label;
  return `${words} ${label ?? `“${value.replace('T', field?.kind === 'time' ? ' ' : 'T')}”`}`;
}
