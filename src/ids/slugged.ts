import { Like } from 'typeorm';
import type { TenantRepository, Where } from '../database/tenant-repository.js';
import { violatedConstraint } from '../errors/database-problem.js';
import { Problem } from '../errors/problem.js';
import { freeSlug, slugStem } from './slug.js';

/** Others may take the number that was free a moment ago; so many in a row do not. */
const MAX_TRIES = 20;

/**
 * Inserts a record under its slug. A slug that was generated gives way to one that is taken (`-2`, `-3` …); one that the client sent
 * does not: 409.
 */
export async function insertWithSlug<E extends { tenantId: string; slug: string }>(
  repository: TenantRepository<E>,
  record: E,
  { sent, constraint }: { sent: boolean; constraint: string },
): Promise<E> {
  let candidate = record;
  for (let tries = 1; ; tries++) {
    try {
      await repository.insert(candidate);
      return candidate;
    } catch (error) {
      if (violatedConstraint(error) !== constraint || (!sent && tries === MAX_TRIES)) throw error;
      if (sent) throw slugTaken(record.slug);
      candidate = { ...record, slug: freeSlug(record.slug, await takenSlugs(repository, record)) };
    }
  }
}

export function slugTaken(slug: string): Problem {
  const message = `The slug ${slug} is taken.`;
  return new Problem('conflict', message, [{ path: 'slug', code: 'taken', message }]);
}

async function takenSlugs<E extends { tenantId: string; slug: string }>(
  repository: TenantRepository<E>,
  { tenantId, slug }: E,
): Promise<Set<string>> {
  // A slug has no character that LIKE reads as a pattern.
  const where = { slug: Like(`${slugStem(slug)}%`) } as Where<E>;
  const rows = await repository.find(tenantId, where, { order: {} });
  return new Set(rows.map((row) => row.slug));
}
