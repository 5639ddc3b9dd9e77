import type { Executor } from '../database/transaction.js';
import { type NoParameters, type Statement, statement } from '../database/statements/statement.js';
import { Problem } from '../errors/problem.js';
import { suggestion } from '../validation/suggestion.js';
import type { IdOrSlug } from './id-or-slug.js';

/** Slugs among which the nearest one is looked for. */
const MAX_SLUGS = 1_000;

/** Resources that paths name by slugs. */
export interface Slugs {
  noun: string;
  all: Statement<NoParameters, { slug: string }>;
}

export function slugsOf(table: 'content_types' | 'forms', noun: string): Slugs {
  const text = `SELECT slug FROM ${table} WHERE tenant_id = :tenantId ORDER BY id DESC LIMIT ${MAX_SLUGS}`;
  return { noun, all: statement<NoParameters, { slug: string }>()(`${table}.slugs`, text) };
}

/**
 * The 404 of a name that leads to nothing, with the slug that was probably meant. Only for a caller with an API key, who may see all of the
 * tenant's resources of this kind.
 */
export async function missingSlug(
  executor: Executor,
  tenantId: string,
  { noun, all }: Slugs,
  { slug }: IdOrSlug,
): Promise<Problem> {
  if (slug === undefined) return Problem.notFound(noun);
  const known = await executor.query(tenantId, all, {});
  const meant = suggestion(
    slug,
    known.map((one) => one.slug),
  );
  return Problem.notFound(noun, meant.trim());
}
