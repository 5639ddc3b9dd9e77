import type { Steps } from '../../admission/steps.js';
import type { Schema } from '../../fields/schema.js';
import { digestSteps } from '../../json/json-digest.js';
import { parseSteps } from '../../json/parse-steps.js';
import { stringifySteps } from '../../json/stringify-steps.js';
import type { Values } from '../entries/writes/entry-values.js';
import type { ValueMoves } from '../value-moves.js';
import { valuesJson } from '../values-json.js';

/** A draft as it is stored, as JSON text. */
export interface StoredDraft {
  /** The draft's own values, without those that it removes. */
  draft: string;
  /** For each own field, the digest of the live value when the field was first saved; null if there was no value. */
  bases: string;
}

/** The draft in the columns of a row; undefined if they are null. */
export function storedDraft({
  draft,
  bases,
}: { [Column in keyof StoredDraft]: string | null }): StoredDraft | undefined {
  return draft === null || bases === null ? undefined : { draft, bases };
}

/** The own values of a draft, of the fields that the type has today. */
export interface OwnValues {
  /** The own fields, in the order of the type. A field without a value in `set` is removed. */
  names: readonly string[];
  set: Values;
  bases: ReadonlyMap<string, string | null>;
}

/** The values that publishing would make live, as JSON, and the names of the draft's own fields. */
export interface ShownDraft {
  fields: string;
  changed: readonly string[];
}

/** Reads a stored draft. Leaves out the values of fields that the type no longer has, also inside groups and blocks. */
export function* ownSteps(schema: Schema, { draft, bases }: StoredDraft): Steps<OwnValues> {
  const stored = (yield* parseSteps(draft)) as Values;
  const digests = new Map(Object.entries(JSON.parse(bases) as Record<string, string | null>));
  const names = schema.fields.map(({ name }) => name).filter((name) => digests.has(name));
  const set: Values = {};
  const kept = yield* schema.keptSteps(stored);
  for (const name of names) if (Object.hasOwn(kept, name)) set[name] = kept[name];
  return { names, set, bases: digests };
}

/** The values of an entry, as JSON, with those of its draft on top. */
export function* shownSteps(schema: Schema, live: string, stored: StoredDraft): Steps<ShownDraft> {
  const own = yield* ownSteps(schema, stored);
  return yield* shownOf(schema, (yield* parseSteps(live)) as Values, own);
}

/** Adds a patch to a draft, or to a new one. Returns what is stored and what is shown. */
export function* savedSteps(
  schema: Schema,
  live: string,
  stored: StoredDraft | undefined,
  patch: { set: Values; removed: readonly string[] },
): Steps<StoredDraft & { shown: ShownDraft }> {
  const values = (yield* parseSteps(live)) as Values;
  const before = stored && (yield* ownSteps(schema, stored));
  const set: Values = { ...before?.set, ...patch.set };
  for (const name of patch.removed) delete set[name];
  const bases = new Map<string, string | null>();
  for (const { name } of schema.fields) {
    if (before?.names.includes(name)) bases.set(name, before.bases.get(name) ?? null);
    else if (Object.hasOwn(patch.set, name) || patch.removed.includes(name))
      bases.set(name, yield* baseOf(values, name));
  }
  const own = { names: [...bases.keys()], set, bases };
  return {
    draft: yield* stringifySteps(set),
    bases: JSON.stringify(Object.fromEntries(bases)),
    shown: yield* shownOf(schema, values, own),
  };
}

/**
 * The draft after a change of the type. `live` are the values of its entry before the change. A base that is the digest of the live value
 * remains so; any other one still differs. Undefined if the change moves none of the draft's own fields.
 */
export function* movedDraft(
  moves: ValueMoves,
  live: string,
  { draft, bases }: StoredDraft,
): Steps<StoredDraft | undefined> {
  const digests = Object.entries(JSON.parse(bases) as Record<string, string | null>);
  if (!digests.some(([name]) => moves.concerns(name))) return undefined;
  // A value that only gets another name keeps its digest. Parsing the live values of many drafts would take long.
  const isChanged = digests.some(([name]) => moves.changes(name));
  const values = isChanged ? ((yield* parseSteps(live)) as Values) : {};
  const moved: [string, string | null][] = [];
  for (const [name, base] of digests) {
    const to = moves.nameOf(name);
    if (to === undefined) continue;
    const isLive = moves.changes(name) && base !== null && base === (yield* baseOf(values, name));
    const next = isLive ? yield* moves.valueOf(name, values[name]) : undefined;
    moved.push([to, next === undefined ? base : yield* digestSteps(next)]);
  }
  const own = yield* moves.apply((yield* parseSteps(draft)) as Values);
  return { draft: yield* stringifySteps(own), bases: JSON.stringify(Object.fromEntries(moved)) };
}

/** The own fields of a draft whose live value differs from the one when the field was first saved in the draft. */
export function* conflictsOf(live: string, { names, bases }: OwnValues): Steps<string[]> {
  const values = (yield* parseSteps(live)) as Values;
  const changed: string[] = [];
  for (const name of names) if ((yield* baseOf(values, name)) !== bases.get(name)) changed.push(name);
  return changed;
}

function* shownOf(schema: Schema, live: Values, { names, set }: OwnValues): Steps<ShownDraft> {
  const fields = { ...live, ...set };
  for (const name of names) if (!Object.hasOwn(set, name)) delete fields[name];
  return { fields: yield* valuesJson(schema, fields), changed: names };
}

function* baseOf(live: Values, name: string): Steps<string | null> {
  return Object.hasOwn(live, name) ? yield* digestSteps(live[name]) : null;
}
