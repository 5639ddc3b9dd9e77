import { type EntryAddress, entryPath } from '../entry';
import { ApiProblem } from '../problem';
import { request } from '../request';

/** A draft waits to be looked at. */
export interface Review {
  readonly by?: string;
  readonly at: string;
  readonly note?: string;
}

interface ReviewedDraft {
  readonly id: string;
  readonly review?: Review;
}

interface DraftPage {
  readonly data: readonly ReviewedDraft[];
  readonly meta: { readonly next_cursor: string | null };
}

/** Reviews that are looked through. Their drafts come with all values. */
const PER_PAGE = '20';

/**
 * Null if no review waits. An entry that is not published may wait without a draft. A draft that is not there is a 404, which browsers report as
 * an error of the page, so the reviews of the tenant are looked through first.
 */
export async function getReview(
  address: EntryAddress,
  hasDraft: boolean,
  signal?: AbortSignal,
): Promise<Review | null> {
  if (!hasDraft) {
    const query = new URLSearchParams({ review: 'true', cursor: '', per_page: PER_PAGE });
    const path = `/v1/content/${encodeURIComponent(address.tenantId)}/drafts?${query}`;
    const { data, meta } = await request<DraftPage>('GET', path, { signal });
    const found = data.find(({ id }) => id === address.id);
    if (found || meta.next_cursor === null) return found?.review ?? null;
  }
  try {
    const { data } = await request<{ data: ReviewedDraft }>('GET', `${entryPath(address)}/draft`, { signal });
    return data.review ?? null;
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) return null;
    throw error;
  }
}

/** Marks the draft of an entry as ready, in place of what was asked before. */
export async function askForReview(address: EntryAddress, note: string): Promise<void> {
  await request('PUT', reviewPath(address), { body: note === '' ? {} : { note } });
}

export async function takeReviewBack(address: EntryAddress): Promise<void> {
  await request('DELETE', reviewPath(address));
}

function reviewPath(address: EntryAddress): string {
  return `${entryPath(address)}/draft/review`;
}
