import { heavyWork, isHeavy } from '../../admission/heavy-work.js';
import type { SlicedWork } from '../../admission/sliced-work.js';
import type { Reader } from '../../database/servers/replica-reads.js';
import { isReference, type Reference } from '../../fields/schema.js';
import type { Caller } from '../../http/caller.js';
import { parseSliced } from '../../json/parse-sliced.js';
import { targetsOf } from '../content-type.entity.js';
import { MISSING_REFERENCES } from '../entries/entries.sql.js';
import type { EntryFields } from '../entries/writes/entry-values.js';
import { lookUps } from '../entries/writes/reference-look-ups.js';
import { mapLeaves } from '../map-leaves.js';
import type { CompiledType } from '../schemas.js';
import { valuesJson } from '../values-json.js';

/**
 * Returns the JSON of entries without the references that lead to no entry any more, which no import could write. A required one stays,
 * because the import reports it better than a value that is missing.
 */
export async function withoutDangling(
  reads: Reader,
  { tenantId, share }: Caller,
  type: CompiledType,
  entries: readonly string[],
): Promise<readonly string[]> {
  if (!type.schema.leafFields.some(isReference)) return entries;
  const size = entries.reduce((sum, json) => sum + json.length, 0);
  const run = <Result>(steps: SlicedWork<Result>) => heavyWork.runIf(isHeavy(size), share, steps);
  const { references, sought } = await run(soughtIn(type, entries));
  if (references.length === 0) return entries;
  const missing = await reads.query(tenantId, MISSING_REFERENCES, sought, share);
  if (missing.length === 0) return entries;
  const dangling = new Set(missing.map(({ place }) => pathOf(references[place])));
  return run(leaveOut(type, entries, dangling));
}

/** The references of the entries. Their paths begin with the number of the entry. */
function* soughtIn({ schema, targets }: CompiledType, entries: readonly string[]) {
  const references: Reference[] = [];
  for (const [index, json] of entries.entries()) {
    const values = (yield* parseSliced(json)) as EntryFields;
    for (const reference of yield* schema.referencesSliced(values, String(index))) references.push(reference);
    yield;
  }
  const types = (reference: Reference) => targetsOf(targets, reference.field.key);
  const sought = yield* lookUps(references.map((reference) => ({ to: reference.id, types: types(reference) })));
  return { references, sought };
}

function* leaveOut(
  { schema }: CompiledType,
  entries: readonly string[],
  dangling: ReadonlySet<string>,
): SlicedWork<string[]> {
  const kept: string[] = [];
  const affected = new Set([...dangling].map((path) => Number(path.slice(0, path.indexOf('.')))));
  for (const [index, json] of entries.entries()) {
    if (!affected.has(index)) {
      kept.push(json);
      continue;
    }
    const values = yield* mapLeaves(schema, 'reference', yield* parseSliced(json), (value, path, field) => {
      const isKept = (field.required && !field.multiple) || !dangling.has(path.replace(/^fields/, String(index)));
      return isKept ? value : undefined;
    });
    kept.push(yield* valuesJson(schema, values as EntryFields));
    yield;
  }
  return kept;
}

function pathOf(reference: Reference | undefined): string {
  return reference?.path ?? '';
}
