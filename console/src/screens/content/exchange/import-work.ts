import type { ContentType } from '../../../api/content-types';
import { importEntries } from '../../../api/exchange';
import { type Failure, startWork, type WorkHandle } from '../../../work/work';
import { countOf } from '../entry-action-words';
import { placeOf, sentenceOf } from './import-findings';

interface ImportOrder {
  readonly tenantId: string;
  readonly type: ContentType;
  readonly file: File;
  readonly key?: string;
  /** What the check found: entries to write, and lines to leave out. */
  readonly found: { readonly entries: number; readonly failed: number };
  readonly onEnd: () => void;
}

export function startImport(order: ImportOrder): void {
  const { tenantId, type, found, onEnd } = order;
  startWork({
    tenantId,
    title: `Import ${countOf({ length: found.entries })} into ${type.name}`,
    run: (handle) => run(order, handle),
    onEnd,
  });
}

async function run({ tenantId, type, file, key, found }: ImportOrder, { signal, progress }: WorkHandle) {
  const report = await importEntries(tenantId, type.slug, {
    ...{ file, isDryRun: false, signal, ...(key !== undefined && { key }) },
    onProgress: (share) => progress(share, share.toLocaleString(undefined, { style: 'percent' })),
  });
  const { created, updated, failed, badLines, stopped } = report;
  const parts = [
    created > 0 && `${countOf({ length: created })} ${created === 1 ? 'was' : 'were'} created.`,
    updated > 0 && `${countOf({ length: updated })} ${updated === 1 ? 'was' : 'were'} updated.`,
    created + updated === 0 && 'Nothing was changed.',
    failed > 0 && `${failed.toLocaleString()} ${failed === 1 ? 'line was' : 'lines were'} left out.`,
  ];
  // The person has seen what the check found.
  const isKnown = failed <= found.failed;
  const failures = (isKnown ? [] : badLines).map((line): Failure => ({
    name: placeOf(line),
    message: sentenceOf(line),
  }));
  if (stopped !== undefined) failures.unshift({ name: 'The import ended early', message: stopped });
  return { said: parts.filter(Boolean).join(' '), failures };
}
