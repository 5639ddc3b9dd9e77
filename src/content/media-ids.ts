import { Injectable } from '@nestjs/common';
import { heavyWork } from '../admission/heavy-work.js';
import { runAtOnce, type SlicedWork } from '../admission/sliced-work.js';
import type { ValueError } from '../errors/problem.js';
import { type MediaUrl, mediaUrlOf } from '../fields/formats/media-url.js';
import { isRecord, supplied } from '../fields/record.js';
import type { Schema } from '../fields/schema.js';
import { isSameSliced } from '../json/is-same-sliced.js';
import { FileUrls } from '../tenants/file-urls.js';
import { mapLeaves } from './map-leaves.js';

/** A file that a value names. */
export interface NamedMedia {
  /** Its path, as values hold it. */
  path: string;
  alt: string;
  /** What a value in full has besides `url` and `alt` (`FullMedia`). */
  details(): Readonly<Record<string, unknown>>;
}

/** Returns the tenant's files by ID. Unknown IDs are missing from the map. */
type LookUp = (tenantId: string, ids: readonly string[]) => Promise<ReadonlyMap<string, NamedMedia>>;

/** The values of one entry. Those of a new entry are completed by the defaults of its media fields. */
interface Sent<Values> {
  schema: Schema;
  values: Values;
  isNew?: boolean;
}

/** What the media values of an entry name: IDs, and the bases of URLs that may be those of files. */
interface Names {
  ids: ReadonlySet<string>;
  bases: ReadonlySet<string>;
}

interface Found {
  media: ReadonlyMap<string, NamedMedia>;
  /** The bases that are those of the service. */
  bases: ReadonlySet<string>;
}

type MediaReference = Record<string, unknown> & { id: unknown };

/** Replaces an unknown file, so that the rest of the body can be checked. It is never stored, because the body is rejected. */
const MISSING = { path: '/', alt: '' };

/**
 * In a request, a media value names a file by its ID, by its URL under the present or an earlier `PUBLIC_URL`, or by its path. In the values
 * that are stored, each of these is the path of the file (see `fields/formats/media-url.ts`). All other URLs stay as they are. A value in full may be
 * sent back: what it has besides its URL is left out if it is true of the file. The media module provides the lookup of IDs, so that content
 * does not depend on it.
 */
@Injectable()
export class MediaIds {
  private lookUp: LookUp = () => Promise.resolve(new Map());

  constructor(private readonly urls: FileUrls) {}

  provide(lookUp: LookUp): void {
    this.lookUp = lookUp;
  }

  /** Returns the values with paths, and an error for each ID that is not a file of this tenant. The values may have any shape. */
  async resolve<Values>(tenantId: string, sent: Sent<Values>, isHeavy = false): Promise<ResolvedMedia<Values>> {
    const [resolved] = await this.resolveAll(tenantId, [sent], isHeavy);
    return resolved ?? { values: sent.values, errors: [] };
  }

  /** Same as `resolve` for the values of several entries, with one look-up. */
  async resolveAll<Values>(
    tenantId: string,
    entries: readonly Sent<Values>[],
    isHeavy = false,
  ): Promise<ResolvedMedia<Values>[]> {
    const run = <Result>(steps: SlicedWork<Result>) => heavyWork.runIf(isHeavy, tenantId, steps);
    const named: { sent: Sent<Values>; names: Names | undefined }[] = [];
    for (const one of entries) {
      const sent = completed(one);
      named.push({ sent, names: sent.schema.hasMedia ? await run(namesIn(sent)) : undefined });
    }
    const all = named.flatMap(({ names }) => names ?? []);
    const ids = new Set(all.flatMap((one) => [...one.ids]));
    const bases = new Set(all.flatMap((one) => [...one.bases]));
    const media = ids.size > 0 ? await this.lookUp(tenantId, [...ids]) : new Map<string, NamedMedia>();
    const found = { media, bases: await this.urls.known(tenantId, bases) };
    const resolved: ResolvedMedia<Values>[] = [];
    for (const { sent, names } of named) {
      if (!names || names.ids.size + names.bases.size === 0) resolved.push({ values: sent.values, errors: [] });
      else resolved.push(await run(replaceNames(sent, found)));
    }
    return resolved;
  }
}

/** Adds the defaults of media fields, which were sent with the content type, as the check of the values would do. */
function completed<Values>(sent: Sent<Values>): Sent<Values> {
  const { schema, values, isNew } = sent;
  if (!isNew || !schema.hasMedia || !isRecord(values)) return sent;
  const defaults = schema.fields.flatMap(({ name, definition }) =>
    definition.type === 'media' && definition.default !== undefined && supplied(values, name) === undefined
      ? [[name, definition.default] as const]
      : [],
  );
  return defaults.length === 0 ? sent : { ...sent, values: { ...values, ...Object.fromEntries(defaults) } };
}

/** Returns what the media values name. */
function* namesIn({ schema, values, isNew }: Sent<unknown>): SlicedWork<Names> {
  const ids = new Set<string>();
  const bases = new Set<string>();
  yield* mapLeaves(schema, 'media', values, (value) => {
    const url = mediaUrlOf(value);
    if (isReference(value)) ids.add(String(value.id));
    else if (url) {
      bases.add(url.base);
      // A creation takes no properties that the service sets.
      if (!isNew && isInFull(value)) ids.add(value.id);
    }
  });
  return { ids, bases };
}

/** Puts paths in the place of IDs and of URLs of the service. */
function* replaceNames<Values>({ schema, values }: Sent<Values>, found: Found): SlicedWork<ResolvedMedia<Values>> {
  const errors: ValueError[] = [];
  const replace = ({ id, url: _none, alt, ...rest }: MediaReference, path: string) => {
    const media = typeof id === 'string' ? found.media.get(id) : undefined;
    if (!media) errors.push({ path: `${path}.id`, code: 'reference', message: 'There is no such media file.' });
    const { path: url, alt: own } = media ?? MISSING;
    return { url, alt: alt ?? own, ...rest };
  };
  const resolved = yield* mapLeaves(schema, 'media', values, (value, path) => {
    if (isReference(value)) return replace(value, path);
    const url = mediaUrlOf(value);
    if (!url || !found.bases.has(url.base) || !isRecord(value)) return value;
    return { ...(isInFull(value) ? withoutDetails(value, url, found) : value), url: url.path };
  });
  return { values: resolved as Values, errors };
}

/** Returns the value without the properties that it has only in full, as far as they are those of the file that it names. */
function withoutDetails(value: MediaReference & { id: string }, { path }: MediaUrl, { media }: Found): object {
  const file = media.get(value.id);
  if (file?.path !== path.replace(/[?#].*/, '')) return value;
  const details = file.details();
  const isTrue = ([name, one]: [string, unknown]) =>
    Object.hasOwn(details, name) && runAtOnce(isSameSliced(one, details[name]));
  return Object.fromEntries(Object.entries(value).filter((property) => !isTrue(property)));
}

/** Values with paths, and an error for each ID that was not found. */
interface ResolvedMedia<Values> {
  values: Values;
  errors: ValueError[];
}

function isReference(value: unknown): value is MediaReference {
  if (!isRecord(value)) return false;
  const { id, url } = value;
  return Object.hasOwn(value, 'id') && id !== null && (url === undefined || url === null);
}

/** Whether a value with a URL names its file by the ID too, as values in full do. */
function isInFull(value: unknown): value is MediaReference & { id: string } {
  return isRecord(value) && Object.hasOwn(value, 'id') && typeof value['id'] === 'string';
}
