import { formatId } from 'trivet/ids/type-id.js';
import type { Redirect } from './redirect.entity.js';
import type { RedirectDto } from './redirects.dto.js';

/** A redirect as a statement returns it, with its times in ISO 8601, or as an entity. */
export type RedirectRow = Omit<Redirect, 'createdAt' | 'updatedAt'> & Record<'createdAt' | 'updatedAt', Date | string>;

/** A redirect as responses and events show it. */
export function presentRedirect({ id, source, target, status, createdAt, updatedAt }: RedirectRow): RedirectDto {
  return {
    id: formatId('rdr', id),
    source,
    target,
    status,
    created_at: new Date(createdAt).toISOString(),
    updated_at: new Date(updatedAt).toISOString(),
  };
}
