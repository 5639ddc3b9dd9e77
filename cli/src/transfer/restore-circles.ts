import { TrivetError } from '@trivet/client';
import { importStream } from '../importers/lines/import-stream.js';
import type { Session } from '../session/session.js';
import type { EntryLine } from './export-format.js';
import type { RefusedEntry } from './restore-entries.js';
import type { RestoreReport } from './restore-report.js';

/** Imports entries as drafts, without the references that lead nowhere yet. Returns those that were imported. */
export async function importBare(
  session: Session,
  slug: string,
  waiting: readonly RefusedEntry[],
): Promise<EntryLine[]> {
  if (waiting.length === 0) return [];
  const bare = waiting.map(({ entry, problem }) => {
    const paths = (problem.errors ?? []).map(({ path }) => path.split('.'));
    return { ...entry, status: 'draft', fields: withoutPaths(entry.fields, paths) };
  });
  const failed = new Set<number>();
  const body = new Blob([bare.map((entry) => `${JSON.stringify(entry)}\n`).join('')]).stream();
  const lines = { type: slug, contentType: 'application/x-ndjson', query: { keep_ids: true }, body } as const;
  await importStream(session, lines, ({ line }) => failed.add(line - 1));
  return waiting.flatMap(({ entry }, index) => (failed.has(index) ? [] : entry));
}

/** Adds the references, and publishes the entry if it was published. */
export async function completeEntry(
  { trivet, signal }: Session,
  slug: string,
  { id, fields, status, locale }: EntryLine,
  report: RestoreReport,
): Promise<void> {
  const path = { content_type_id: slug, entry_id: id };
  const body = { fields, status };
  await trivet.request('updateEntry', { path, query: { locale }, body, signal }).catch((error: unknown) => {
    if (!(error instanceof TrivetError) || error.status !== 422) throw error;
    const reasons = error.errors.map(({ message }) => message).join(' ');
    report.fail(`${slug} ${id} is a draft without some of its references: ${reasons}`);
  });
}

export function reportRefusal(slug: string, { entry, problem }: RefusedEntry, report: RestoreReport): void {
  const { errors = [], detail = 'It was refused.' } = problem;
  report.fail(`${slug} ${entry.id}: ${errors.map(({ message }) => message).join(' ') || detail}`);
}

/** The values without those at the paths (`fields.sections.0.author`). An item of a list is removed as a whole. */
function withoutPaths(fields: Record<string, unknown>, paths: readonly (readonly string[])[]): Record<string, unknown> {
  return without(
    fields,
    paths.map(([, ...names]) => names),
  ) as Record<string, unknown>;
}

function without(value: unknown, paths: readonly (readonly string[])[]): unknown {
  if (paths.length === 0 || typeof value !== 'object' || value === null) return value;
  const inside = (name: string) => paths.filter(([first]) => first === name).map(([, ...rest]) => rest);
  const isGone = (name: string) => inside(name).some(({ length }) => length === 0);
  const entries = Object.entries(value)
    .filter(([name]) => !isGone(name))
    .map(([name, one]) => [name, without(one, inside(name))] as const);
  return Array.isArray(value) ? entries.map(([, one]) => one) : Object.fromEntries(entries);
}
