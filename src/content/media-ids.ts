import { Injectable } from '@nestjs/common';
import type { ValueError } from '../errors/problem.js';
import type { Schema } from '../fields/schema.js';

/** What takes the place of a media id. */
export interface NamedMedia {
  url: string;
  alt: string;
}

/** The tenant's files by the ids that a client sent; what is not there is not in the map. */
type LookUp = (tenantId: string, ids: readonly string[]) => Promise<ReadonlyMap<string, NamedMedia>>;

type MediaReference = Record<string, unknown> & { id: unknown };

/** Keeps the rest of a body checkable when a file is not there; it is never stored, because the body is refused. */
const MISSING: NamedMedia = { url: '/', alt: '' };

/**
 * On input a media value may carry `id` instead of `url`. This puts `url` (and `alt`, when omitted) in its place; the room that keeps
 * files says how, so that content knows nothing of it.
 */
@Injectable()
export class MediaIds {
  private lookUp: LookUp = () => Promise.resolve(new Map());

  provide(lookUp: LookUp): void {
    this.lookUp = lookUp;
  }

  /** The values without media ids, and an error for each id that is none of this tenant. */
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

/** A copy of the values in which `map` replaced every media value that carries an id. */
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
