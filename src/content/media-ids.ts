import { Injectable } from '@nestjs/common';
import { heavyWork } from '../admission/heavy-work.js';
import { runNow, type Steps } from '../admission/steps.js';
import type { ValueError } from '../errors/problem.js';
import { isRecord } from '../fields/record.js';
import type { Schema } from '../fields/schema.js';
import { mapLeaves } from './map-leaves.js';

/** The properties that replace a media ID. */
export interface NamedMedia {
  url: string;
  alt: string;
}

/** Returns the tenant's files by ID. Unknown IDs are missing from the map. */
type LookUp = (tenantId: string, ids: readonly string[]) => Promise<ReadonlyMap<string, NamedMedia>>;

type MediaReference = Record<string, unknown> & { id: unknown };

/** Replaces an unknown file, so that the rest of the body can be checked. It is never stored, because the body is rejected. */
const MISSING: NamedMedia = { url: '/', alt: '' };

/**
 * In a request, a media value may have `id` instead of `url`. Replaces `id` with `url` (and `alt`, if it is omitted). The media module
 * provides the lookup, so that content does not depend on it.
 */
@Injectable()
export class MediaIds {
  private lookUp: LookUp = () => Promise.resolve(new Map());

  provide(lookUp: LookUp): void {
    this.lookUp = lookUp;
  }

  /** Returns the values without media IDs, and an error for each ID that is not a file of this tenant. The values may have any shape. */
  async resolve<Values>(
    tenantId: string,
    schema: Schema,
    values: Values,
    isHeavy = false,
  ): Promise<ResolvedMedia<Values>> {
    const [resolved] = await this.resolveAll(tenantId, [{ schema, values }], isHeavy);
    return resolved ?? { values, errors: [] };
  }

  /** Same as `resolve` for the values of several entries, with one look-up. */
  async resolveAll<Values>(
    tenantId: string,
    entries: readonly { schema: Schema; values: Values }[],
    isHeavy = false,
  ): Promise<ResolvedMedia<Values>[]> {
    const run = <Result>(steps: Steps<Result>) => (isHeavy ? heavyWork.run(tenantId, steps) : runNow(steps));
    const sought: string[][] = [];
    for (const { schema, values } of entries) sought.push(await run(idsIn(schema, values)));
    const ids = [...new Set(sought.flat())];
    const found = ids.length > 0 ? await this.lookUp(tenantId, ids) : new Map<string, NamedMedia>();
    const resolved: ResolvedMedia<Values>[] = [];
    for (const [index, { schema, values }] of entries.entries()) {
      if (sought[index]?.length === 0) resolved.push({ values, errors: [] });
      else resolved.push(await run(replaceIds(schema, values, found)));
    }
    return resolved;
  }
}

/** Returns the media IDs in the values. */
function* idsIn(schema: Schema, values: unknown): Steps<string[]> {
  const ids = new Set<string>();
  yield* mapLeaves(schema, 'media', values, (value) => isReference(value) && ids.add(String(value.id)));
  return [...ids];
}

/** Replaces the media IDs in the values. */
function* replaceIds<Values>(
  schema: Schema,
  values: Values,
  found: ReadonlyMap<string, NamedMedia>,
): Steps<ResolvedMedia<Values>> {
  const errors: ValueError[] = [];
  const replace = ({ id, url: _none, alt, ...rest }: MediaReference, path: string) => {
    const media = typeof id === 'string' ? found.get(id) : undefined;
    if (!media) errors.push({ path: `${path}.id`, code: 'reference', message: 'There is no such media file.' });
    const { url, alt: own } = media ?? MISSING;
    return { url, alt: alt ?? own, ...rest };
  };
  const resolved = yield* mapLeaves(schema, 'media', values, (value, path) =>
    isReference(value) ? replace(value, path) : value,
  );
  return { values: resolved as Values, errors };
}

/** Values without media IDs, and an error for each ID that was not found. */
export interface ResolvedMedia<Values> {
  values: Values;
  errors: ValueError[];
}

function isReference(value: unknown): value is MediaReference {
  if (!isRecord(value)) return false;
  const { id, url } = value;
  return Object.hasOwn(value, 'id') && id !== null && (url === undefined || url === null);
}
