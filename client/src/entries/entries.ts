import type { SchemaShape, Slug } from '../schema/shape.js';
import type { Send } from '../transport/spec.js';
import { dataOf, resourceAt, taggedDataOf } from './calls.js';
import type { Collection } from './collection.js';
import { conditionParameters } from './conditions.js';
import { draftsOf, localesOf, schedulesOf, versionsOf } from './entry-parts.js';
import { type EntriesById, placeIncluded, type RawEntry } from './placing.js';

/** The options of all readings, without the types of a schema. */
interface Reading {
  readonly include?: readonly string[];
  readonly filter?: object;
  readonly where?: object;
  readonly [name: string]: unknown;
}

interface Body {
  readonly data: RawEntry[];
  readonly meta: { readonly next_cursor?: string | null };
  readonly included?: EntriesById;
}

const ENTRY = '/{entry_id}';
const FULL = { view: 'full' };
/** The most entries of a page. */
const LONGEST_PAGE = 100;

export function collectionOf<S extends SchemaShape, Type extends Slug<S>>(
  send: Send,
  tenant: string,
  type: Type,
): Collection<S, Type> {
  const base = '/v1/content/{tenant_id}/types/{content_type_id}';
  const names = { tenant_id: tenant, content_type_id: type };
  const at = resourceAt(send, `${base}/entries`, names);

  const list = async (options: Reading = {}) => {
    const { body } = await at.get('', {}, parametersOf(options));
    const { data, meta, included = {} } = body as Body;
    return { data: placeIncluded(data, included, options.include ?? []), meta };
  };

  async function* all(options: Reading = {}) {
    for (let cursor: string | null | undefined = ''; typeof cursor === 'string';) {
      const page: Awaited<ReturnType<typeof list>> = await list({ per_page: LONGEST_PAGE, ...options, cursor });
      yield* page.data;
      cursor = page.meta.next_cursor;
    }
  }

  const one = async (path: string, values: object, options: Reading = {}) => {
    const answer = await at.get(path, values, parametersOf(options));
    const { data, included = {} } = answer.body as { data: RawEntry; included?: EntriesById };
    return { ...placeIncluded([data], included, options.include ?? [])[0], etag: answer.etag };
  };

  const collection = {
    list,
    all,
    get: async (entry_id: string, options?: Reading) => one(ENTRY, { entry_id }, options),
    getBy: async (field: string, value: unknown, options?: Reading) =>
      one('/by/{field}/{value}', { field, value }, options),
    preview: async (token: string, options: Reading = {}) => {
      const link = resourceAt(send, '/v1/preview/{token}', { token });
      const { body } = await link.get('', {}, parametersOf(options));
      const { data, included = {} } = body as { data: RawEntry; included?: EntriesById };
      return placeIncluded([data], included, options.include ?? [])[0];
    },
    create: async (fields: object, { status, ...options }: { status?: string } = {}) =>
      taggedDataOf(await at.write('POST', '', {}, { query: FULL, body: { fields, status }, options })),
    update: async (entry_id: string, fields: object, { status, ...options }: { status?: string } = {}) =>
      taggedDataOf(await at.write('PATCH', ENTRY, { entry_id }, { query: FULL, body: { fields, status }, options })),
    delete: async (entry_id: string, options?: object) => {
      await at.write('DELETE', ENTRY, { entry_id }, { options });
    },
    createPreviewLink: async (entry_id: string, { expires_in, ...options }: { expires_in?: number } = {}) =>
      dataOf(await at.write('POST', `${ENTRY}/preview-links`, { entry_id }, { body: { expires_in }, options })),
    drafts: draftsOf(at),
    schedules: schedulesOf(at),
    versions: versionsOf(at),
    locales: localesOf(at, resourceAt(send, `${base}/locales`, names)),
  };
  // What the types say of fields is known to the service alone.
  return collection as unknown as Collection<S, Type>;
}

/** The options of a reading, with its conditions as parameters. */
function parametersOf({ filter, where, ...others }: Reading): object {
  return { ...others, ...conditionParameters(filter, where) };
}
