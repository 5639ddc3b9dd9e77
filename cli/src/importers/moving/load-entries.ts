import type { Session } from '../../session/session.js';
import { type SchemaPlan, underNames } from './load-schema.js';
import { entriesOf, type EntryDraft, type FieldDraft, type Reading, type TypeDraft } from './model.js';
import { type Known, keysIn, resolved } from './resolve.js';
import { type Counts, type ImportLine, writeLines } from './write-lines.js';

/** Drafts that are saved at the same time. */
const AT_ONCE = 4;

export type TypeCounts = Counts & { slug: string };

interface Loading {
  session: Session;
  reading: Reading;
  known: Known;
  names: SchemaPlan['names'];
  /** Where each type is in the order in which they are written. */
  places: ReadonlyMap<string, number>;
  /** The keys of entries that were refused. */
  refused: Set<string>;
}

/**
 * Writes entries type by type: first those that others refer to. A value that refers to an entry of the same type or a later one follows in a
 * second pass, because a reference must lead to an entry that exists.
 */
export async function loadEntries(
  session: Session,
  reading: Reading,
  names: SchemaPlan['names'],
  { idOf, ...files }: Omit<Known, 'idOf'> & { idOf: (key: string) => string },
): Promise<TypeCounts[]> {
  const { typeOf } = reading;
  const order = inOrder(reading.types);
  const refused = new Set<string>();
  const known: Known = { ...files, idOf: (key) => (typeOf.has(key) && !refused.has(key) ? idOf(key) : undefined) };
  const places = new Map(order.map(({ slug }, place) => [slug, place]));
  const loading: Loading = { session, reading, known, names, places, refused };
  const counts: TypeCounts[] = [];
  for (const type of order) counts.push({ slug: type.slug, ...(await firstPass(loading, type, idOf)) });
  for (const type of order) {
    const { updated } = await secondPass(loading, type, idOf);
    const own = counts.find(({ slug }) => slug === type.slug)!;
    const more = Math.min(own.unchanged, Math.max(0, updated - own.created));
    own.updated += more;
    own.unchanged -= more;
  }
  for (const type of order) await saveDrafts(loading, type, idOf);
  return counts.sort((a, b) => (a.slug < b.slug ? -1 : 1));
}

async function firstPass(loading: Loading, type: TypeDraft, idOf: (key: string) => string): Promise<Counts> {
  const { session, reading, refused } = loading;
  const { report, spool } = reading;
  const total = [...reading.typeOf.values()].filter((slug) => slug === type.slug).length;
  const progress = session.output.progress(type.name);
  async function* lines(): AsyncGenerator<ImportLine> {
    let done = 0;
    for await (const { key, status, fields } of spool.values<EntryDraft>(entriesOf(type.slug))) {
      session.signal.throwIfAborted();
      progress.at(++done, total);
      const now = Object.entries(fields).filter(([, value]) => !isLater(loading, type, value));
      const lost = (to: string) =>
        report.add('A reference or a file is missing, and was left out.', `${type.slug} ${key} to ${to}`);
      const values = valuesOf(loading, type, Object.fromEntries(now), lost);
      yield { key, line: { id: idOf(key), fields: values, status, ...localeOf(type) } };
    }
  }
  const counts = await writeLines(session, type.slug, lines, (key, why) => {
    refused.add(key);
    report.add('An entry was refused.', `${type.slug} ${key}: ${why}`);
  });
  progress.end();
  return counts;
}

async function secondPass(loading: Loading, type: TypeDraft, idOf: (key: string) => string): Promise<Counts> {
  const { session, reading, refused } = loading;
  const { report, spool } = reading;
  async function* lines(): AsyncGenerator<ImportLine> {
    for await (const { key, fields } of spool.values<EntryDraft>(entriesOf(type.slug))) {
      session.signal.throwIfAborted();
      const later = Object.entries(fields).filter(([, value]) => isLater(loading, type, value));
      if (later.length === 0 || refused.has(key)) continue;
      const lost = (to: string) =>
        report.add('A reference or a file is missing, and was left out.', `${type.slug} ${key} to ${to}`);
      const values = valuesOf(loading, type, Object.fromEntries(later), lost);
      if (Object.keys(values).length > 0) yield { key, line: { id: idOf(key), fields: values, ...localeOf(type) } };
    }
  }
  return writeLines(session, type.slug, lines, (key, why) => {
    report.add('References of an entry were refused.', `${type.slug} ${key}: ${why}`);
  });
}

/** Saves what is not live yet as drafts beside the entries. */
async function saveDrafts(loading: Loading, type: TypeDraft, idOf: (key: string) => string): Promise<void> {
  const { session, reading, refused } = loading;
  const { report, spool } = reading;
  const save = async ({ key, draft }: EntryDraft) => {
    const path = { content_type_id: type.slug, entry_id: idOf(key) };
    const body = { fields: valuesOf(loading, type, draft ?? {}, () => undefined) };
    await session.trivet
      .request('saveDraft', { path, query: localeOf(type), body, signal: session.signal } as never)
      .catch((error: Error) => {
        session.signal.throwIfAborted();
        report.add('The draft of an entry could not be saved.', `${type.slug} ${key}: ${error.message}`);
      });
  };
  let running: Promise<void>[] = [];
  for await (const entry of spool.values<EntryDraft>(entriesOf(type.slug))) {
    if (!entry.draft || refused.has(entry.key)) continue;
    running.push(save(entry));
    if (running.length < AT_ONCE) continue;
    await Promise.all(running);
    running = [];
  }
  await Promise.all(running);
}

function valuesOf({ known, names }: Loading, { slug }: TypeDraft, fields: object, lost: (to: string) => void): object {
  return underNames(names.get(slug), resolved(fields, known, lost) as Record<string, unknown>);
}

function isLater({ places, reading }: Loading, { slug }: TypeDraft, value: unknown): boolean {
  const own = places.get(slug) ?? 0;
  for (const key of keysIn(value)) {
    const place = places.get(reading.typeOf.get(key) ?? '');
    if (place !== undefined && place >= own) return true;
  }
  return false;
}

function localeOf({ fields }: TypeDraft): { locale?: string } {
  return fields.some(({ localized }) => localized) ? { locale: '*' } : {};
}

/** Types that others refer to come first, as far as they do not refer to each other. */
function inOrder(types: readonly TypeDraft[]): TypeDraft[] {
  const bySlug = new Map(types.map((type) => [type.slug, type]));
  const order: TypeDraft[] = [];
  const seen = new Set<string>();
  const visit = (type: TypeDraft): void => {
    if (seen.has(type.slug)) return;
    seen.add(type.slug);
    for (const slug of targetsIn(type.fields)) {
      const target = bySlug.get(slug);
      if (target) visit(target);
    }
    order.push(type);
  };
  for (const type of types) visit(type);
  return order;
}

function targetsIn(fields: readonly FieldDraft[]): string[] {
  return fields.flatMap((field) => [
    ...(field.content_types ?? []),
    ...targetsIn(field.fields ?? []),
    ...(field.blocks ?? []).flatMap((block) => targetsIn(block.fields)),
  ]);
}
