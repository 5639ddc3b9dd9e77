import { Injectable } from '@nestjs/common';
import type { ValueError } from '../errors/problem.js';
import type { Schema } from '../fields/schema.js';

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

  /** Returns the values without media IDs, and an error for each ID that is not a file of this tenant. */
  async resolve<Values>(
    tenantId: string,
    schema: Schema,
    values: Values,
  ): Promise<{ values: Values; errors: ValueError[] }> {
    const errors: ValueError[] = [];
    const ids = isObject(values) ? idsIn(schema, values) : [];
    if (!isObject(values) || ids.length === 0) return { values, errors };
    const found = await this.lookUp(tenantId, ids);
    const resolved = mapReferences(schema, values, ({ id, url: _none, alt, ...rest }, path) => {
      const media = typeof id === 'string' ? found.get(id) : undefined;
      if (!media) errors.push({ path: `${path}.id`, code: 'reference', message: 'There is no such media file.' });
      const { url, alt: own } = media ?? MISSING;
      return { url, alt: alt ?? own, ...rest };
    });
    return { values: resolved as Values, errors };
  }
}

function idsIn(schema: Schema, values: object): string[] {
  const ids = new Set<string>();
  mapReferences(schema, values, (reference) => ids.add(String(reference.id)));
  return [...ids];
}

/** Copies the values. `map` replaces every media value that has an `id`. */
function mapReferences(
  schema: Schema,
  values: object,
  map: (reference: MediaReference, path: string) => unknown,
): Record<string, unknown> {
  const copy = { ...values } as Record<string, unknown>;
  for (const { name, definition } of schema.fields) {
    if (definition.type !== 'media' || !Object.hasOwn(copy, name)) continue;
    const value = copy[name];
    const path = `fields.${name}`;
    copy[name] = Array.isArray(value)
      ? value.map((element: unknown, index) => (isReference(element) ? map(element, `${path}.${index}`) : element))
      : isReference(value)
        ? map(value, path)
        : value;
  }
  return copy;
}

function isReference(value: unknown): value is MediaReference {
  if (!isObject(value) || !Object.hasOwn(value, 'id')) return false;
  const { id, url } = value as { id: unknown; url?: unknown };
  return id !== null && (url === undefined || url === null);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
