import { type BulkOperation, changeEntries } from '../../../api/bulk';
import { listTypes } from '../../../api/content-types';
import { createType, type DefinedField } from '../../../api/type-changes';
import { type Failure, startWork, type WorkHandle } from '../../../work/work';

export const MAGAZINE_TITLE = 'Make the magazine';

/** Entries that one request writes. */
const AT_ONCE = 5;

/** Makes the magazine of the demo, as far as it is not there: it can be begun again after it was cancelled or failed. */
export function startMagazine(tenantId: string, onEnd: () => void): void {
  startWork({ tenantId, title: MAGAZINE_TITLE, run: (handle) => makeMagazine(tenantId, handle), onEnd });
}

type Fields = Readonly<Record<string, unknown>> & { readonly slug: string };

async function makeMagazine(tenantId: string, { signal, progress }: WorkHandle) {
  const [{ ARTICLES, DESKS }, { ISSUES, TYPES, wordsOf }] = await Promise.all([
    import('../../../../../scripts/demo-articles.mjs'),
    import('../../../../../scripts/demo-magazine.mjs'),
  ]);
  const total = TYPES.length + DESKS.length + ARTICLES.length + ISSUES.length;
  let done = 0;
  const step = (count: number) => {
    signal.throwIfAborted();
    done += count;
    progress(done / total, `${done} of ${total}`);
  };
  const existing = await listTypes(tenantId, signal);
  for (const { slug, name, fields } of TYPES) {
    step(0);
    // The fields are as the service takes them.
    if (!existing.some((type) => type.slug === slug))
      await createType(tenantId, { slug, name, fields: [...fields] as DefinedField[] });
    step(1);
  }
  const failures: Failure[] = [];
  /** Writes the entries. Returns their IDs by their slugs. */
  const write = async (type: string, entries: readonly Fields[]) => {
    const ids = new Map<string, string>();
    for (let index = 0; index < entries.length; index += AT_ONCE) {
      step(0);
      const part = entries.slice(index, index + AT_ONCE);
      const results = await changeEntries(
        tenantId,
        part.map((fields) => upsertOf(type, fields)),
      );
      part.forEach(({ slug }, at) => {
        const { entry_id: id, problem } = results[at] ?? {};
        if (id !== undefined) ids.set(slug, id);
        else
          failures.push({
            name: slug,
            message: problem?.errors?.[0]?.message ?? problem?.detail ?? 'It was not made.',
          });
      });
      step(part.length);
    }
    return ids;
  };
  const desks = await write('magazine-desk', DESKS);
  const articles = await write(
    'magazine-article',
    ARTICLES.map((article) => ({ ...article, desk: desks.get(article.desk), words: wordsOf(article) })),
  );
  await write(
    'magazine-issue',
    ISSUES.map((issue) => ({ ...issue, articles: issue.articles.flatMap((slug) => articles.get(slug) ?? []) })),
  );
  const made = done - TYPES.length - failures.length;
  const said = `The magazine has ${TYPES.length} content types and ${made} entries.`;
  return failures.length === 0 ? { said } : { said: `${said} Some were not made:`, failures };
}

function upsertOf(type: string, fields: Fields): BulkOperation {
  return { op: 'upsert', content_type: type, key: { slug: fields.slug }, fields, status: 'published' };
}
