import type { Review } from './entry-parts/review';
import { request } from './request';

/** A draft, or an entry that is not published, with the values that publishing would make live. */
export interface ListedDraft {
  readonly id: string;
  readonly content_type_id: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly updated_at: string;
  readonly review?: Review;
}

interface DraftPage {
  readonly data: readonly ListedDraft[];
  readonly meta: { readonly total: number };
}

/** `review`: what waits for it, the last request first. `mine`: what the caller was the last to save. */
export function listDrafts(
  tenantId: string,
  which: 'review' | 'mine',
  perPage: number,
  signal?: AbortSignal,
): Promise<DraftPage> {
  const query = new URLSearchParams({ [which]: 'true', page: '1', per_page: String(perPage) });
  return request('GET', `/v1/content/${encodeURIComponent(tenantId)}/drafts?${query}`, { signal });
}
