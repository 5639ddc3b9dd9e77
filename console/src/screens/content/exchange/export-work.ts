import type { ContentType } from '../../../api/content-types';
import { type Entry, type EntryQuery, MAX_IDS } from '../../../api/entries';
import { exportPath } from '../../../api/exchange';
import { readFile, saveFile } from '../../../api/save-file';
import type { ListState } from '../../../lists/list-address';
import { isLocalized } from '../../../locales/use-locales';
import { startWork, type WorkHandle } from '../../../work/work';
import { countOf } from '../entry-action-words';
import { entryQueryOf, FIRST_OF_DRAFTS, readPart } from '../entry-parts';
import { translationQuery } from '../translation';

interface ExportOrder {
  readonly tenantId: string;
  readonly type: ContentType;
  readonly state: ListState;
  /** Without any, the list is exported. */
  readonly selected: readonly Entry[];
  readonly format: 'csv' | 'ndjson';
}

/** Saves what is selected, or else what the list shows, as a file. */
export function startExport(order: ExportOrder): void {
  const { tenantId, type, selected, format } = order;
  const what = selected.length > 0 ? countOf(selected) : type.name;
  startWork({ tenantId, title: `Export ${what} as ${format.toUpperCase()}`, run: (handle) => run(order, handle) });
}

async function run(order: ExportOrder, { signal, progress }: WorkHandle) {
  const { tenantId, type, format } = order;
  // All languages, so that an import takes the file back, unless the list shows one.
  const languages = isLocalized(type) && { locale: translationQuery(order.state.translation)['locale'] ?? '*' };
  const parts: Blob[] = [];
  let bytes = 0;
  for (const query of await queriesOf(order, signal)) {
    const part = await readFile(exportPath(tenantId, type.slug, { ...query, ...languages, format }), {
      signal,
      onBytes: (more) => progress(undefined, `${sizeOf((bytes += more))} received`),
    });
    parts.push(parts.length > 0 && format === 'csv' ? await withoutHeader(part) : part);
  }
  saveFile(new Blob(parts), `${type.slug}.${format}`);
  return { said: `${type.slug}.${format} was saved in your downloads.` };
}

/** One query for the whole list, or for so many entries by their IDs as a request can name. */
async function queriesOf(order: ExportOrder, signal: AbortSignal): Promise<readonly EntryQuery[]> {
  const { state, selected } = order;
  if (selected.length > 0)
    return byIds(
      selected.map(({ id }) => id),
      state,
    );
  if (state.drafts) return byIds(await idsOf(order, signal), state);
  return [entryQueryOf(state)];
}

function byIds(ids: readonly string[], { sort }: ListState): readonly EntryQuery[] {
  const queries: EntryQuery[] = [];
  for (let from = 0; from === 0 || from < ids.length; from += MAX_IDS) {
    queries.push({
      ...(sort !== '' && { sort }),
      where: JSON.stringify({ id: { in: ids.slice(from, from + MAX_IDS) } }),
    });
  }
  return queries;
}

/** The entries of the list of drafts, which an export cannot find by itself. */
async function idsOf({ tenantId, type, state }: ExportOrder, signal: AbortSignal): Promise<readonly string[]> {
  const ids: string[] = [];
  const request = { tenantId, slug: type.slug, query: { ...entryQueryOf(state), select: '' }, signal };
  for (let place: typeof FIRST_OF_DRAFTS | undefined = FIRST_OF_DRAFTS; place;) {
    const page: Awaited<ReturnType<typeof readPart>> = await readPart(request, place);
    ids.push(...page.entries.map(({ id }) => id));
    place = page.next;
  }
  return ids;
}

/** The rows of CSV. Names of fields have no line ends. */
async function withoutHeader(csv: Blob): Promise<Blob> {
  const head = await csv.slice(0, 64 * 1024).text();
  const end = head.indexOf('\n') + 1;
  return csv.slice(new TextEncoder().encode(head.slice(0, end)).length);
}

function sizeOf(bytes: number): string {
  const isLarge = bytes >= 1_000_000;
  const size = new Intl.NumberFormat(undefined, {
    style: 'unit',
    unit: isLarge ? 'megabyte' : 'kilobyte',
    maximumFractionDigits: isLarge ? 1 : 0,
  });
  return size.format(bytes / (isLarge ? 1_000_000 : 1_000));
}
