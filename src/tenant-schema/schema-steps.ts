import type { SchemaPlanDto } from '../content/content-types.dto.js';
import { isSameValue } from './schema-document.js';

type FieldStep = SchemaPlanDto['steps'][number];

export const ITEM_KINDS = ['locales', 'content_type', 'form', 'webhook'] as const;
export const SCHEMA_OPS = [
  'create',
  'delete',
  'add',
  'remove',
  'rename',
  'retype',
  'tighten',
  'relax',
  'describe',
] as const;

/** One step from what a tenant has to what a document has. */
export interface SchemaStep extends Omit<FieldStep, 'op' | 'field'> {
  kind: (typeof ITEM_KINDS)[number];
  /** The slug, the URL of a webhook, or the code of a locale. */
  item: string;
  op: (typeof SCHEMA_OPS)[number];
  /** The field or the property that the step is about; undefined if it is the whole item. */
  field?: string;
}

type Step = Pick<SchemaStep, 'kind' | 'item' | 'op' | 'field'>;

/** A step that concerns no stored value. */
export function safeStep(step: Step): SchemaStep {
  return { ...step, class: 'safe', entries: 0, failing: 0, samples: [] };
}

/** A step that hides or deletes values of so many entries or submissions. */
export function losingStep(step: Step, entries: number): SchemaStep {
  return { ...safeStep(step), class: entries > 0 ? 'lossy' : 'safe', entries };
}

/** A `describe` step for each property that differs. */
export function propertySteps<Item extends object>(
  of: Pick<Step, 'kind' | 'item'>,
  is: Item,
  wanted: Item,
  names: readonly (keyof Item & string)[],
): SchemaStep[] {
  return names
    .filter((name) => !isSameValue(is[name], wanted[name]))
    .map((field) => safeStep({ ...of, op: 'describe', field }));
}
