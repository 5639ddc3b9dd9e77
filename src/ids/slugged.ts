import type { Database } from '../database/database.js';
import { statement } from '../database/statements/statement.js';
import type { TenantRepository } from '../database/tenant-repository.js';
import { violatedConstraint } from '../errors/database-problem.js';
import { Problem } from '../errors/problem.js';
import { FreeSlug } from './free-slug.js';

/** Concurrent writers may take a number that was just free, but not this often in a row. */
const MAX_TRIES = 20;

/** The tables whose rows have slugs. The name of the constraint on them is `<table>_slug`. */
type SluggedTable = 'content_types' | 'forms';

interface Insertion<E> {
  /** Whether the client sent the slug. */
  sent: boolean;
  table: SluggedTable;
  insert?: (record: E) => Promise<unknown>;
}

/**
 * Inserts a record and returns it with its final slug. If a generated slug is taken, a number is appended (`-2`, `-3` …). Throws 409 if
 * a slug that the client sent is taken. `insert` makes one attempt, by default only of the row.
 */
export async function insertWithSlug<E extends { tenantId: string; slug: string }>(
  database: Database,
  repository: Pick<TenantRepository<E>, 'insert'>,
  record: E,
  { sent, table, insert = (one) => repository.insert(one) }: Insertion<E>,
): Promise<E> {
  const free = new FreeSlug(record.slug, (slugs) => takenSlugs(database, table, record.tenantId, slugs));
  let candidate = record;
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    try {
      await insert(candidate);
      return candidate;
    } catch (error) {
      if (violatedConstraint(error) !== `${table}_slug`) throw error;
      if (sent) throw slugTaken(record.slug);
      candidate = { ...record, slug: await free.next() };
    }
  }
  throw Problem.unavailable('Too many resources with this name are being created at the same time.');
}

export function slugTaken(slug: string): Problem {
  const message = `The slug ${slug} is taken.`;
  return new Problem('conflict', message, [{ path: 'slug', code: 'taken', message }]);
}

const TAKEN_SLUGS = { content_types: takenSlugsOf('content_types'), forms: takenSlugsOf('forms') };

function takenSlugsOf(table: SluggedTable) {
  return statement<{ slugs: readonly string[] }, { slug: string }>()(
    `${table}.taken_slugs`,
    `SELECT slug FROM ${table} WHERE tenant_id = :tenantId AND slug = ANY (:slugs::text[])`,
  );
}

async function takenSlugs(
  database: Database,
  table: SluggedTable,
  tenantId: string,
  slugs: readonly string[],
): Promise<Set<string>> {
  const rows = await database.query(tenantId, TAKEN_SLUGS[table], { slugs });
  return new Set(rows.map(({ slug }) => slug));
}
