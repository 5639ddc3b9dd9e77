import { type NoParameters, statement } from '../database/statements/statement.js';
import type { LimitedResource, Used } from '../tenants/limits.js';

/** The most bytes of the files that one request sends without a key. */
export const MAX_PRIVATE_BYTES = 50 * 1024 * 1024;

export const MEDIA_BYTES_USED = statement<NoParameters, Used>()(
  'media_counts.used',
  `SELECT (SELECT coalesce(sum(bytes), 0) FROM media_counts WHERE tenant_id = :tenantId)::bigint
    + (SELECT coalesce(sum(bytes), 0) FROM private_file_counts WHERE tenant_id = :tenantId)::bigint AS used`,
);

/**
 * The bytes of media, of which one has at most `maxBytes`, and of private files. Those of variants do not count: the service creates and
 * removes them.
 */
export function mediaBytes(maxBytes: number): LimitedResource {
  return { name: 'media_bytes', used: MEDIA_BYTES_USED, single: Math.max(maxBytes, MAX_PRIVATE_BYTES), batch: 0 };
}
