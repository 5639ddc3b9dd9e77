import type { Contract } from '@trivet/client/request';
import type { Session } from '../session/session.js';
import { completeEntries, importBare } from './restore-circles.js';
import { importMissing, lacksReference, type Refusal, type Refusals } from './import-missing.js';
import type { RestoreLog } from './restore-log.js';
import type { RestoredFiles } from './restore-media.js';
import type { RestoreReport } from './restore-report.js';

/** A chain of references inside a type may need a round for each link, if later entries come first. */
const MAX_ROUNDS = 20;

type Type = Contract.SchemaType;
interface Definition {
  readonly type: string;
  readonly content_type?: string;
  readonly content_types?: readonly string[];
  readonly fields?: readonly Definition[];
  readonly blocks?: readonly { readonly fields: readonly Definition[] }[];
}

/** What is restored, and with what. */
export interface Restoring {
  readonly folder: string;
  readonly files: RestoredFiles;
  readonly log: RestoreLog;
  readonly report: RestoreReport;
}

/**
 * Imports the entries of all content types with their IDs. An entry whose references are not there yet is tried again when others are; those that
 * refer to each other in a circle come first without these references, and get them afterwards.
 */
export async function restoreEntries(session: Session, restoring: Restoring, all: readonly Type[]): Promise<void> {
  const { report } = restoring;
  const refused = new Map<string, Refusals>();
  let slugs = referredFirst(all);
  do {
    await restoreInRounds(session, restoring, slugs, refused);
    slugs = slugs.filter((slug) => isWaiting(refused.get(slug)));
  } while (await breakCircle(session, restoring, slugs, refused));
  await completeEntries(session, restoring);
  for (const [slug, entries] of refused) {
    for (const [id, { why }] of entries) report.fail(`${slug} ${id}: ${why}`);
  }
}

/** Imports as long as there is progress. `refused` has what was refused last, by content type. */
async function restoreInRounds(
  session: Session,
  restoring: Restoring,
  all: readonly string[],
  refused: Map<string, Refusals>,
): Promise<void> {
  let slugs = all;
  for (let round = 1; round <= MAX_ROUNDS && slugs.length > 0; round++) {
    let created = 0;
    for (const slug of slugs) {
      const result = await importMissing(session, restoring, slug, refused.get(slug));
      created += result.created;
      refused.delete(slug);
      if (result.refused.size > 0) refused.set(slug, result.refused);
    }
    if (created === 0) return;
    slugs = slugs.filter((slug) => isWaiting(refused.get(slug)));
  }
}

/** Imports without their missing references the waiting entries of the first type of which some can be. Returns false if there is no such type. */
async function breakCircle(
  session: Session,
  restoring: Restoring,
  slugs: readonly string[],
  refused: Map<string, Refusals>,
): Promise<boolean> {
  for (const slug of slugs) {
    const entries = refused.get(slug) ?? new Map<string, Refusal>();
    const imported = await importBare(session, restoring, slug, entries);
    for (const id of imported) entries.delete(id);
    if (imported.length > 0) return true;
  }
  return false;
}

function isWaiting(refused: Refusals | undefined): boolean {
  return [...(refused?.values() ?? [])].some(lacksReference);
}

/** Slugs of content types in an order in which references lead back, as far as there is one. */
function referredFirst(types: readonly Type[]): string[] {
  const ordered: string[] = [];
  let left = [...types];
  while (left.length > 0) {
    const slugs = new Set(left.map(({ slug }) => slug));
    const free = left.filter(({ slug, fields }) => {
      return !namedIn(fields).some((name) => name !== slug && slugs.has(name));
    });
    // Those of a circle have no order.
    const next = free.length > 0 ? free : left;
    ordered.push(...next.map(({ slug }) => slug));
    left = left.filter((type) => !next.includes(type));
  }
  return ordered;
}

function namedIn(fields: readonly Definition[]): string[] {
  return fields.flatMap(({ content_type: one, content_types: several = [], fields: inner = [], blocks = [] }) => [
    ...(one === undefined ? several : [one]),
    ...namedIn(inner),
    ...blocks.flatMap((block) => namedIn(block.fields)),
  ]);
}
