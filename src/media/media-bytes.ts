import { type NoParameters, statement } from '../database/statement.js';
import type { LimitedResource, Used } from '../tenants/limits.js';

export const MEDIA_BYTES_USED = statement<NoParameters, Used>()(
  'media_counts.used',
  'SELECT coalesce(sum(bytes), 0)::bigint AS used FROM media_counts WHERE tenant_id = :tenantId',
);

/** The bytes of files, of which one has at most `maxBytes`. Those of variants do not count: the service creates and removes them. */
export function mediaBytes(maxBytes: number): LimitedResource {
  return { name: 'media_bytes', used: MEDIA_BYTES_USED, single: maxBytes, batch: 0 };
}
