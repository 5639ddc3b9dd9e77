import type { Session } from '../session/session.js';
import type { EntryLine } from './export-format.js';
import { importLines, lacksReference, type Refusals } from './import-missing.js';
import type { Restoring } from './restore-entries.js';

/** Imports entries as drafts, without the references that lead nowhere yet. Returns the IDs of those that were imported. */
export async function importBare(
  session: Session,
  restoring: Restoring,
  slug: string,
  refused: Refusals,
): Promise<string[]> {
  const waiting = [...refused].filter(([, refusal]) => lacksReference(refusal)).map(([id]) => id);
  if (waiting.length === 0) return [];
  await restoring.log.importing(slug, waiting);
  const { refused: again } = await importLines(session, restoring, slug, (groups) =>
    changed(groups, (entry) => {
      const { paths } = refused.get(entry.id) ?? {};
      return paths && { ...entry, status: 'draft', fields: withoutPaths(entry.fields, paths) };
    }),
  );
  const imported = waiting.filter((id) => !again.has(id));
  restoring.report.add('entries', imported.length);
  return imported;
}

/** Adds their references to the entries that were imported without them, and publishes those that were published. */
export async function completeEntries(session: Session, restoring: Restoring): Promise<void> {
  const { log, report } = restoring;
  for (const [slug, ids] of log.bare) {
    const { refused } = await importLines(session, restoring, slug, (groups) =>
      changed(groups, (entry) => (ids.has(entry.id) ? entry : undefined)),
    );
    for (const [id, { why }] of refused) report.fail(`${slug} ${id} is a draft without some of its references: ${why}`);
  }
  await log.completed();
}

async function* changed(
  groups: AsyncIterable<EntryLine[]>,
  change: (entry: EntryLine) => EntryLine | undefined,
): AsyncGenerator<EntryLine[]> {
  for await (const group of groups) yield group.flatMap((entry) => change(entry) ?? []);
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
