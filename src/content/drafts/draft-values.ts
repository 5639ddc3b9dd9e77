import type { SlicedWork } from '../../admission/sliced-work.js';
import { localeStateOf } from '../../fields/localized/locale-state.js';
import { readName } from '../../fields/localized/localized-names.js';
import type { CompiledType } from '../schemas.js';
import type { Schema } from '../../fields/schema.js';
import { digestSliced } from '../../json/json-digest.js';
import { parseSliced } from '../../json/parse-sliced.js';
import { stringifySliced } from '../../json/stringify-sliced.js';
import type { EntryFields } from '../entries/writes/entry-values.js';
import type { ValueMoves } from '../schema-changes/value-moves.js';
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
export interface DraftValues {
  /** The own fields, in the order of the type. A field without a value in `set` is removed. */
  names: readonly string[];
  set: EntryFields;
  bases: ReadonlyMap<string, string | null>;
}

/** The values that publishing would make live, as JSON, and the names of the draft's own fields. */
export interface ShownDraft {
  fields: string;
  changed: readonly string[];
}

/** Reads a stored draft. Leaves out the values of fields that the type no longer has, also inside groups and blocks. */
export function* ownSliced(schema: Schema, { draft, bases }: StoredDraft): SlicedWork<DraftValues> {
  const stored = (yield* parseSliced(draft)) as EntryFields;
  const digests = new Map(Object.entries(JSON.parse(bases) as Record<string, string | null>));
  const names = schema.fields.map(({ name }) => name).filter((name) => digests.has(name));
  const set: EntryFields = {};
  const kept = yield* schema.keptSliced(stored);
  for (const name of names) if (Object.hasOwn(kept, name)) set[name] = kept[name];
  return { names, set, bases: digests };
}

/** The values of these own fields of a draft. */
function partOf({ set, bases }: DraftValues, names: readonly string[]): DraftValues {
  return {
    names,
    set: Object.fromEntries(names.flatMap((name) => (Object.hasOwn(set, name) ? [[name, set[name]] as const] : []))),
    bases: new Map(names.map((name) => [name, bases.get(name) ?? null])),
  };
}

function* storedPart({ set, bases }: DraftValues): SlicedWork<StoredDraft> {
  return { draft: yield* stringifySliced(set), bases: JSON.stringify(Object.fromEntries(bases)) };
}

/**
 * What a draft has besides the localized values of a locale, as it is stored; undefined if nothing. `standard` is the default locale.
 */
export function* draftWithoutLocale(
  schema: Schema,
  stored: StoredDraft,
  locale: string,
  standard: string,
): SlicedWork<StoredDraft | undefined> {
  const own = yield* ownSliced(schema, stored);
  const left = own.names.filter((name) => {
    const { own: field, locale: code = standard } = readName(name);
    return code !== locale || !schema.localized.has(field);
  });
  return left.length > 0 ? yield* storedPart(partOf(own, left)) : undefined;
}

/** What is left of a draft, as it is stored. */
interface RestOfDraft {
  restFields: string;
  restBases: string;
}

/**
 * Splits the values of a draft: `own` are those of these locales, `rest` the others, undefined if there are none. A field that is not localized
 * belongs to the default locale. `isTakenOff`: one of these locales is taken off, so that readers do not see its values.
 */
export function* splitByLocale(
  { schema }: Pick<CompiledType, 'schema'>,
  row: { fields: string; draft: string | null; bases: string | null },
  locales: readonly string[],
  standard: string,
): SlicedWork<{ own: DraftValues; rest: RestOfDraft | undefined; isTakenOff: boolean }> {
  const { off = [] } = localeStateOf((yield* parseSliced(row.fields)) as EntryFields);
  const isTakenOff = off.some((code) => locales.includes(code));
  const stored = storedDraft(row);
  if (!stored) return { own: { names: [], set: {}, bases: new Map() }, rest: undefined, isTakenOff };
  const all = yield* ownSliced(schema, stored);
  const isOf = (name: string) => locales.includes(readName(name).locale ?? standard);
  const others = all.names.filter((name) => !isOf(name));
  const { draft: restFields, bases: restBases } = yield* storedPart(partOf(all, others));
  const rest = others.length > 0 ? { restFields, restBases } : undefined;
  return { own: partOf(all, all.names.filter(isOf)), rest, isTakenOff };
}

/** The values of an entry, as JSON, with those of its draft on top. */
export function* shownSliced(schema: Schema, live: string, stored: StoredDraft): SlicedWork<ShownDraft> {
  const own = yield* ownSliced(schema, stored);
  return yield* shownOf(schema, (yield* parseSliced(live)) as EntryFields, own);
}

/** Adds a patch to a draft, or to a new one. Returns what is stored and what is shown. */
export function* savedSliced(
  schema: Schema,
  live: string,
  stored: StoredDraft | undefined,
  patch: { set: EntryFields; removed: readonly string[] },
): SlicedWork<StoredDraft & { shown: ShownDraft }> {
  const values = (yield* parseSliced(live)) as EntryFields;
  const before = stored && (yield* ownSliced(schema, stored));
  const set: EntryFields = { ...before?.set, ...patch.set };
  for (const name of patch.removed) delete set[name];
  const bases = new Map<string, string | null>();
  for (const { name } of schema.fields) {
    if (before?.names.includes(name)) bases.set(name, before.bases.get(name) ?? null);
    else if (Object.hasOwn(patch.set, name) || patch.removed.includes(name))
      bases.set(name, yield* baseOf(values, name));
  }
  const own = { names: [...bases.keys()], set, bases };
  return {
    draft: yield* stringifySliced(set),
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
): SlicedWork<StoredDraft | undefined> {
  const digests = Object.entries(JSON.parse(bases) as Record<string, string | null>);
  if (!digests.some(([name]) => moves.concerns(name))) return undefined;
  // A value that only gets another name keeps its digest. Parsing the live values of many drafts would take long.
  const isChanged = digests.some(([name]) => moves.changes(name));
  const values = isChanged ? ((yield* parseSliced(live)) as EntryFields) : {};
  const moved: [string, string | null][] = [];
  for (const [name, base] of digests) {
    const to = moves.nameOf(name);
    if (to === undefined) continue;
    const isLive = moves.changes(name) && base !== null && base === (yield* baseOf(values, name));
    const next = isLive ? yield* moves.valueOf(name, values[name]) : undefined;
    moved.push([to, next === undefined ? base : yield* digestSliced(next)]);
  }
  const own = yield* moves.apply((yield* parseSliced(draft)) as EntryFields);
  return { draft: yield* stringifySliced(own), bases: JSON.stringify(Object.fromEntries(moved)) };
}

/** The own fields of a draft whose live value differs from the one when the field was first saved in the draft. */
export function* conflictsOf(live: string, { names, bases }: DraftValues): SlicedWork<string[]> {
  const values = (yield* parseSliced(live)) as EntryFields;
  const changed: string[] = [];
  for (const name of names) if ((yield* baseOf(values, name)) !== bases.get(name)) changed.push(name);
  return changed;
}

function* shownOf(schema: Schema, live: EntryFields, { names, set }: DraftValues): SlicedWork<ShownDraft> {
  const fields = { ...live, ...set };
  for (const name of names) if (!Object.hasOwn(set, name)) delete fields[name];
  return { fields: yield* valuesJson(schema, fields), changed: names };
}

function* baseOf(live: EntryFields, name: string): SlicedWork<string | null> {
  return Object.hasOwn(live, name) ? yield* digestSliced(live[name]) : null;
}
