import { hasOtherType, isDescriptive, isRetyped, isTighter } from '../../fields/changes/changes.js';
import type { CompiledField } from '../../fields/compiled-field.js';
import type { FieldDefinition } from '../../fields/field-definition.js';
import { type Fields, nameBefore, type Renames } from '../../fields/changes/renames.js';
import { ownName } from '../../fields/localized/localized-names.js';
import { removedKey, type SchemaChangePlan } from './schema-change-plan.js';
import type { ValueErrorCode } from '../../errors/value-errors.js';

export const STEP_OPS = ['add', 'remove', 'rename', 'retype', 'tighten', 'relax', 'describe'] as const;
export const STEP_CLASSES = ['safe', 'needs_data', 'lossy'] as const;

/** An entry whose value does not fit a field of the new schema. `code` is that of the error. */
export interface Misfit {
  /** Its key. */
  field: string;
  /** UUID. */
  id: string;
  code: ValueErrorCode;
  message: string;
}

/** One step of a plan. `entries` and `failing` count entries; `samples` are of the failing ones, with their UUIDs. */
export interface PlanStep {
  op: (typeof STEP_OPS)[number];
  field: string;
  class: (typeof STEP_CLASSES)[number];
  entries: number;
  failing: number;
  samples: { id: string; message: string }[];
}

const MAX_SAMPLES = 10;

/** Entries that are counted as failing, over all steps. Each is remembered. */
const MAX_FAILING = 200_000;

/** Errors that tell that a value is not of the type at all. */
const OF_TYPE: ReadonlySet<string> = new Set(['type', 'format', 'reference']);

/** Counts, while a change is checked, the entries that its steps concern and those that block it. */
export class Tally {
  private readonly withValue = new Map<string, number>();
  private room = MAX_FAILING;
  private readonly failures = new Map<string, { ids: Set<string>; samples: PlanStep['samples'] }>();

  /** An entry has a value of the field (its key after the change, or a `removedKey`). */
  count(field: string): void {
    this.withValue.set(field, this.entriesOf(field) + 1);
  }

  /** Counts an entry once for each step, however many of its values are wrong. */
  fail({ field, id, code, message }: Misfit): void {
    const step = `${field}/${causeOf(code)}`;
    const failure = this.failures.get(step) ?? { ids: new Set(), samples: [] };
    this.failures.set(step, failure);
    if (failure.ids.has(id) || this.room === 0) return;
    failure.ids.add(id);
    this.room--;
    if (failure.samples.length < MAX_SAMPLES) failure.samples.push({ id, message });
  }

  entriesOf(field: string): number {
    return this.withValue.get(field) ?? 0;
  }

  /** The causes of failures, by the keys of fields. */
  get causes(): { field: string; cause: Cause }[] {
    return [...this.failures.keys()].map((step) => {
      const [field = '', cause] = step.split('/');
      return { field, cause: cause as Cause };
    });
  }

  /** The entries that fail for these causes, each once. */
  failed(causes: readonly { field: string; cause: Cause }[]): Pick<PlanStep, 'failing' | 'samples'> {
    const ids = new Set<string>();
    const samples: PlanStep['samples'] = [];
    for (const { field, cause } of causes) {
      const failure = this.failures.get(`${field}/${cause}`);
      for (const sample of failure?.samples ?? []) if (!ids.has(sample.id)) samples.push(sample);
      for (const id of failure?.ids ?? []) ids.add(id);
    }
    return { failing: ids.size, samples: samples.slice(0, MAX_SAMPLES) };
  }
}

/** What makes a value fail: its type, another constraint, or that another entry has it too. */
type Cause = 'type' | 'constraint' | 'unique';
const CAUSES: readonly Cause[] = ['type', 'constraint', 'unique'];

function causeOf(code: ValueErrorCode): Cause {
  if (code === 'unique') return 'unique';
  return OF_TYPE.has(code) ? 'type' : 'constraint';
}

/** What a step does, and the causes of failures that it explains. */
interface Operation {
  op: PlanStep['op'];
  field: string;
  causes: readonly Cause[];
}

/** Whether a step of the plan is about a field whose values must be counted. A new field has none, unless they return. */
export function hasCountedSteps({ concernsEntries, old, next, renames }: SchemaChangePlan): boolean {
  return concernsEntries || operationsOf(old, next, { renames, key: '' }).some(({ op }) => op !== 'add');
}

/**
 * The steps of a change, in the order of the new fields; removed fields come last. The steps inside a group or a block follow its own.
 * Fields have their keys: `seo.title`, `sections.hero.title`.
 */
export function planSteps({ old, next, renames }: SchemaChangePlan, tally: Tally): PlanStep[] {
  const operations = operationsOf(old, next, { renames, key: '' }).filter(isShown);
  const explained = new Map<Operation, { field: string; cause: Cause }[]>();
  for (const failure of tally.causes) {
    const operation = operations.find((one) => explains(one, failure)) ?? outerOf(operations, failure);
    explained.set(operation, [...(explained.get(operation) ?? []), failure]);
  }
  return operations.map((operation) => {
    const { op, field } = operation;
    const { failing, samples } = tally.failed(explained.get(operation) ?? []);
    const entries = tally.entriesOf(op === 'remove' ? removedKey(field) : field);
    const isLossy = op === 'remove' && entries > 0;
    // The values of other locales are hidden, and those of the default stay.
    if (field.includes('@'))
      return { op: 'describe', field: ownName(field), class: isLossy ? 'lossy' : 'safe', entries, failing, samples };
    return { op, field, class: failing > 0 ? 'needs_data' : isLossy ? 'lossy' : 'safe', entries, failing, samples };
  });
}

/** What is added or renamed in each locale is one step. */
function isShown({ op, field }: Operation): boolean {
  return op === 'remove' || ownName(field) === field;
}

function explains({ field, causes }: Operation, failure: { field: string; cause: Cause }): boolean {
  return field === failure.field && causes.includes(failure.cause);
}

/** The step of a field around the one that fails, for example of a group that becomes a list. Adds one if there is none. */
function outerOf(operations: Operation[], { field, cause }: { field: string; cause: Cause }): Operation {
  for (let key = field; key !== ''; key = key.slice(0, Math.max(key.lastIndexOf('.'), 0))) {
    const outer = operations.find((one) => explains(one, { field: key, cause }));
    if (outer) return outer;
  }
  const added: Operation = { op: 'tighten', field, causes: CAUSES };
  operations.push(added);
  return added;
}

/** `key` is what the keys of the fields begin with. */
function operationsOf(old: Fields, next: Fields, { renames, key }: { renames: Renames; key: string }): Operation[] {
  const kept = new Set(next.fields.map((after) => nameBefore(after, renames)));
  const operations = next.fields.flatMap((after) => {
    const nameOnce = nameBefore(after, renames);
    const before = old.field(nameOnce);
    // Values of a removed field may move to the name of a new one.
    if (!before) return { op: nameOnce === after.name ? 'add' : 'rename', field: after.key, causes: CAUSES } as const;
    const own = opsOf(before, after).map(({ op, causes }) => ({ op, field: after.key, causes }));
    return hasOtherType(before, after) ? own : [...own, ...operationsInside(before, after, renames)];
  });
  const removed = old.fields.filter(({ name }) => !kept.has(name));
  return [...operations, ...removed.map(({ name }) => ({ op: 'remove', field: key + name, causes: [] }) as const)];
}

function operationsInside(before: CompiledField, after: CompiledField, renames: Renames): Operation[] {
  const placeOf = (block: string | undefined) => (block === undefined ? after.key : `${after.key}.${block}`);
  const kept = after.parts.flatMap((part) => {
    const had = before.parts.find(({ block }) => block === part.block);
    const field = placeOf(part.block);
    return had ? operationsOf(had, part, { renames, key: `${field}.` }) : { op: 'add' as const, field, causes: CAUSES };
  });
  const removed = before.parts.filter(({ block }) => !after.parts.some((part) => part.block === block));
  return [...kept, ...removed.map(({ block }) => ({ op: 'remove' as const, field: placeOf(block), causes: [] }))];
}

function opsOf(before: CompiledField, after: CompiledField): { op: PlanStep['op']; causes: readonly Cause[] }[] {
  const [was, is] = [before.definition, after.definition];
  const isOther = hasOtherType(before, after);
  // A new type checks the values anew and looks their references up, whatever its other constraints were.
  const concerns = ['claims', 'presence', ...(isOther ? [] : (['values', 'references'] as const))] as const;
  const isTightened = isTighter(before, after, concerns);
  const isRelaxed = isTighter(after, before, concerns);
  const ops: { op: PlanStep['op']; causes: readonly Cause[] }[] = [];
  if (before.name !== after.name) ops.push({ op: 'rename', causes: [] });
  if (isOther) ops.push({ op: 'retype', causes: isTightened ? ['type', 'constraint'] : CAUSES });
  if (isTightened) ops.push({ op: 'tighten', causes: CAUSES });
  if (isRelaxed) ops.push({ op: 'relax', causes: [] });
  if (isDescribed(was, is) || (ops.length === 0 && isRetyped(before, after)))
    ops.push({ op: 'describe', causes: CAUSES });
  return ops;
}

/** Whether another attribute differs: a label, a default, the label of a block. */
function isDescribed(before: FieldDefinition, after: FieldDefinition): boolean {
  const names = new Set([...Object.keys(before), ...Object.keys(after)] as (keyof FieldDefinition)[]);
  const labels = ({ blocks = [] }: FieldDefinition) => new Map(blocks.map(({ name, label }) => [name, label]));
  const earlier = labels(before);
  if ([...labels(after)].some(([name, label]) => earlier.has(name) && earlier.get(name) !== label)) return true;
  return [...names].some((name) => isDescriptive(name) && JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}
