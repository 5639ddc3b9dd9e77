import { Problem } from '../../errors/problem.js';
import type { Caller } from '../../http/caller.js';

/** Drafts are shown to keys that may read all entries. Throws a 401 without a key, and a 403 for a key that reads published entries only. */
export async function requireDraftAccess({ publishedOnly, requireKey }: Caller): Promise<void> {
  await requireKey?.();
  if (publishedOnly) {
    throw new Problem(
      'forbidden',
      'has_draft, missing, behind and preview tell of drafts, but this API key can read published entries only.',
    );
  }
}
