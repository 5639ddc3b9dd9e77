import { type BulkOperation, changeEntries } from '../../api/bulk';
import type { ContentType } from '../../api/content-types';
import { type Entry, entriesWithIds, publishDraft } from '../../api/entries';
import { ApiProblem } from '../../api/problem';
import { type Failure, startWork, type WorkHandle } from '../../work/work';
import { countOf, type EntryAction } from './entry-action-words';

interface EntryWork {
  readonly action: EntryAction;
  readonly tenantId: string;
  readonly type: ContentType;
  readonly entries: readonly Entry[];
  readonly nameOf: (entry: Entry) => string;
  /** The language that is published; undefined where there is only one. */
  readonly locale: string | undefined;
  readonly onEnd: () => void;
}

/** Entries that one request changes. */
const AT_ONCE = 50;
/** Drafts that are published at the same time. */
const DRAFTS_AT_ONCE = 4;

const DONE: Readonly<Record<EntryAction, string>> = {
  Publish: 'published',
  Unpublish: 'unpublished',
  Delete: 'deleted',
};

/** Does this with each of the entries, some at a time. What fails does not keep the others from it, and can be tried again. */
export function startEntryWork(work: EntryWork): void {
  const { action, tenantId, entries, onEnd } = work;
  startWork({ tenantId, title: `${action} ${countOf(entries)}`, run: (handle) => run(work, handle), onEnd });
}

async function run(work: EntryWork, { signal, progress }: WorkHandle) {
  const { action, entries, type, nameOf } = work;
  const failed: { entry: Entry; message: string }[] = [];
  let done = 0;
  for (; done < entries.length && !signal.aborted; done = Math.min(done + AT_ONCE, entries.length)) {
    progress(done / entries.length, `${done.toLocaleString()} of ${entries.length.toLocaleString()}`);
    const part = entries.slice(done, done + AT_ONCE);
    const messages = await change(work, part);
    part.forEach((entry, index) => {
      const message = messages[index];
      if (message !== undefined) failed.push({ entry, message });
    });
  }
  const failures = failed.map(({ entry, message }): Failure => {
    return { name: nameOf(entry), href: `/content/${type.slug}/${entry.id}`, message };
  });
  const left = entries.length - done;
  const were = (count: number) => `${countOf({ length: count })} ${count === 1 ? 'was' : 'were'}`;
  const said = `${were(done - failed.length)} ${DONE[action]}.${left > 0 ? ` It was cancelled before the other ${left}.` : ''}`;
  if (failures.length === 0) return { said };
  const again = () => startEntryWork({ ...work, entries: failed.map(({ entry }) => entry) });
  return { said: `${said} ${were(failures.length)} not:`, failures, again };
}

/** Returns what is wrong with each of the entries; undefined for those that were changed. */
async function change(work: EntryWork, entries: readonly Entry[]): Promise<readonly (string | undefined)[]> {
  try {
    if (work.action === 'Publish') return await (work.locale === undefined ? publish : publishLanguage)(work, entries);
    return await runBulk(work, entries);
  } catch (error) {
    const message = error instanceof Error ? error.message : 'It failed.';
    return entries.map(() => message);
  }
}

/** As `Publish` of each entry does: makes its draft live if there is one, else the entry itself unless it is published. */
async function publish(work: EntryWork, entries: readonly Entry[]): Promise<readonly (string | undefined)[]> {
  const { tenantId, type } = work;
  const ids = entries.map(({ id }) => id);
  const [present, drafted] = await Promise.all([
    entriesWithIds(tenantId, type.slug, ids, { select: '' }),
    entriesWithIds(tenantId, type.slug, ids, { select: '', has_draft: 'true' }),
  ]);
  const withDraft = entries.filter(({ id }) => drafted.data.some((one) => one.id === id));
  const published = present.data.filter(({ status }) => status === 'published').map(({ id }) => id);
  const others = entries.filter((entry) => !withDraft.includes(entry) && !published.includes(entry.id));
  const messages = new Map<string, string | undefined>();
  const ofDrafts = await someAtOnce(withDraft, ({ id }) => messageOf(publishDraft(tenantId, type.slug, id)));
  withDraft.forEach(({ id }, index) => messages.set(id, ofDrafts[index]));
  const found = await runBulk(work, others);
  others.forEach(({ id }, index) => messages.set(id, found[index]));
  return ids.map((id) => messages.get(id));
}

/** As `Publish` of each entry does in one language. Where it has nothing to publish, nothing is done. */
function publishLanguage({ tenantId, type, locale }: EntryWork, entries: readonly Entry[]) {
  return someAtOnce(entries, async ({ id, status }) => {
    const isNothing = (problem: ApiProblem) => status === 'published' && problem.status === 404;
    return messageOf(publishDraft(tenantId, type.slug, id, locale), isNothing);
  });
}

async function someAtOnce<T>(entries: readonly Entry[], work: (entry: Entry) => Promise<T>): Promise<readonly T[]> {
  const done: T[] = [];
  for (let from = 0; from < entries.length; from += DRAFTS_AT_ONCE) {
    done.push(...(await Promise.all(entries.slice(from, from + DRAFTS_AT_ONCE).map(work))));
  }
  return done;
}

async function runBulk({ action, tenantId, type }: EntryWork, entries: readonly Entry[]) {
  if (entries.length === 0) return [];
  const operations = entries.map(({ id }): BulkOperation => {
    const entry = { content_type: type.id, entry_id: id };
    if (action === 'Delete') return { op: 'delete', ...entry };
    return { op: 'update', ...entry, status: action === 'Publish' ? 'published' : 'draft' };
  });
  const results = await changeEntries(tenantId, operations);
  return results.map(({ result, problem }) => {
    // What is gone already needs no deletion: it may be the answer to it that was lost.
    if (result !== 'failed' || (action === 'Delete' && problem?.code === 'not_found')) return undefined;
    return problem ? sentenceOf(problem) : 'It failed.';
  });
}

async function messageOf(
  request: Promise<void>,
  isDone: (problem: ApiProblem) => boolean = () => false,
): Promise<string | undefined> {
  try {
    await request;
    return undefined;
  } catch (error) {
    if (error instanceof ApiProblem && isDone(error)) return undefined;
    if (error instanceof ApiProblem) return sentenceOf({ detail: error.message, errors: error.errors });
    throw error;
  }
}

/** What is wrong with the values, if it is them. */
function sentenceOf({ detail, errors = [] }: { detail: string; errors?: readonly { message: string }[] }): string {
  return errors.length > 0 ? errors.map(({ message }) => message).join(' ') : detail;
}
