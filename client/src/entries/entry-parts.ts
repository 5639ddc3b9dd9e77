import type { ConditionalOptions, WriteOptions } from '../transport/options.js';
import { dataOf, type Resource, taggedDataOf } from './calls.js';

const DRAFT = '/{entry_id}/draft';
const SCHEDULE = '/{entry_id}/schedule';
const VERSIONS = '/{entry_id}/versions';
const LOCALES = '/{entry_id}/locales';
const VERSION = `${VERSIONS}/{version}`;

export function draftsOf(at: Resource) {
  return {
    get: async (entry_id: string, options?: object) => taggedDataOf(await at.get(DRAFT, { entry_id }, options)),
    save: async (entry_id: string, fields: object, options?: ConditionalOptions) =>
      taggedDataOf(await at.write('PATCH', DRAFT, { entry_id }, { body: { fields }, options })),
    discard: async (entry_id: string, options?: ConditionalOptions) => {
      await at.write('DELETE', DRAFT, { entry_id }, { options });
    },
    publish: async (entry_id: string, { force, ...options }: ConditionalOptions & { force?: boolean } = {}) =>
      taggedDataOf(
        await at.write('POST', `${DRAFT}/publish`, { entry_id }, { query: { force, view: 'full' }, options }),
      ),
  };
}

export function schedulesOf(at: Resource) {
  return {
    get: async (entry_id: string, options?: object) => dataOf(await at.get(SCHEDULE, { entry_id }, options)),
    set: async (entry_id: string, body: object, options?: WriteOptions) =>
      dataOf(await at.write('PUT', SCHEDULE, { entry_id }, { body, options })),
    delete: async (entry_id: string, options?: WriteOptions) => {
      await at.write('DELETE', SCHEDULE, { entry_id }, { options });
    },
  };
}

export function versionsOf(at: Resource) {
  return {
    list: async (entry_id: string, options?: object) => (await at.get(VERSIONS, { entry_id }, options)).body,
    get: async (entry_id: string, version: number, options?: object) =>
      dataOf(await at.get(VERSION, { entry_id, version }, options)),
    restore: async (entry_id: string, version: number, options?: ConditionalOptions) =>
      taggedDataOf(
        await at.write('POST', `${VERSION}/restore`, { entry_id, version }, { query: { view: 'full' }, options }),
      ),
  };
}

/** `counts` are those of the content type. */
export function localesOf(at: Resource, counts: Resource) {
  return {
    list: async (entry_id: string, options?: object) => dataOf(await at.get(LOCALES, { entry_id }, options)),
    set: async (entry_id: string, code: string, body: object, options?: ConditionalOptions) =>
      dataOf(await at.write('PUT', `${LOCALES}/{code}`, { entry_id, code }, { body, options })),
    count: async (options?: object) => dataOf(await counts.get('', {}, options)),
  };
}
