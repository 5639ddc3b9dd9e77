import type { CallOptions, ConditionalOptions, WriteOptions } from '../transport/options.js';
import { dataOf, type Resource, taggedDataOf } from './calls.js';

const DRAFT = '/{entry_id}/draft';
const SCHEDULE = '/{entry_id}/schedule';
const VERSIONS = '/{entry_id}/versions';
const VERSION = `${VERSIONS}/{version}`;

export function draftsOf(at: Resource) {
  return {
    get: async (entry_id: string, options?: CallOptions) =>
      taggedDataOf(await at.get(DRAFT, { entry_id }, {}, options)),
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
    get: async (entry_id: string, options?: CallOptions) => dataOf(await at.get(SCHEDULE, { entry_id }, {}, options)),
    set: async (entry_id: string, body: object, options?: WriteOptions) =>
      dataOf(await at.write('PUT', SCHEDULE, { entry_id }, { body, options })),
    delete: async (entry_id: string, options?: WriteOptions) => {
      await at.write('DELETE', SCHEDULE, { entry_id }, { options });
    },
  };
}

export function versionsOf(at: Resource) {
  return {
    list: async (entry_id: string, { signal, timeout, ...query }: CallOptions & Record<string, never> = {}) =>
      (await at.get(VERSIONS, { entry_id }, query, { signal, timeout })).body,
    get: async (entry_id: string, version: number, options?: CallOptions) =>
      dataOf(await at.get(VERSION, { entry_id, version }, {}, options)),
    restore: async (entry_id: string, version: number, options?: ConditionalOptions) =>
      taggedDataOf(
        await at.write('POST', `${VERSION}/restore`, { entry_id, version }, { query: { view: 'full' }, options }),
      ),
  };
}
