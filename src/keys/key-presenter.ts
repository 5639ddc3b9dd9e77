import type { ConfiguredKey } from '../access/usable-key.js';
import { formatId } from '../ids/type-id.js';
import type { KeyDto } from './keys.dto.js';
import type { KeyRow } from './keys.sql.js';

/** A key that was made over the API. Times are ISO 8601. */
export function presentKey(row: Omit<KeyRow, 'root'>, lastUsedAt: string | null): KeyDto {
  return {
    id: formatId('key', row.id),
    name: row.name,
    scopes: row.scopes,
    ...(row.locales && { locales: row.locales }),
    source: 'api',
    created_at: row.createdAt,
    expires_at: row.expiresAt,
    last_used_at: lastUsedAt,
    // What a key of a member made has the member, too.
    created_by: formatId(row.createdBy === row.memberId ? 'usr' : 'key', row.createdBy),
  };
}

export function presentConfiguredKey({ id, name, scopes }: ConfiguredKey, lastUsedAt: string | null): KeyDto {
  return {
    id: formatId('key', id),
    name,
    scopes,
    source: 'configuration',
    created_at: null,
    expires_at: null,
    last_used_at: lastUsedAt,
    created_by: null,
  };
}
