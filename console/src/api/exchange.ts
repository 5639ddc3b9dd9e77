import { type EntryQuery, entriesPath } from './entries';
import { brokenOff } from './problem';
import { upload } from './upload';

/** A line that an import skipped. `last_line` is set if it stands for all lines up to that one. */
export interface BadLine {
  readonly line: number;
  readonly last_line?: number;
  readonly problem: { readonly detail: string; readonly errors?: readonly { readonly message: string }[] };
}

interface ImportCounts {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
}

export interface ImportReport extends ImportCounts {
  readonly badLines: readonly BadLine[];
  /** Why the import ended early. What it counts is committed. */
  readonly stopped?: string;
}

interface ImportOptions {
  readonly file: File;
  /** The unique field by which lines find their entries. */
  readonly key?: string;
  readonly isDryRun: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (share: number) => void;
}

type Line = BadLine | { readonly processed: number } | (ImportCounts & { done: boolean; problem?: { detail: string } });

const CSV = /\.(csv|tsv|txt)$/i;

export async function importEntries(tenantId: string, type: string, options: ImportOptions): Promise<ImportReport> {
  const { file, key, isDryRun, signal, onProgress } = options;
  const query = new URLSearchParams({ ...(key !== undefined && { key }), ...(isDryRun && { dry_run: 'true' }) });
  const text = await upload(`${entriesPath(tenantId, type)}/import?${query}`, {
    body: file,
    contentType: file.type === 'text/csv' || CSV.test(file.name) ? 'text/csv' : 'application/x-ndjson',
    signal,
    onProgress,
  });
  return reportOf(text);
}

export function exportPath(tenantId: string, type: string, query: EntryQuery): string {
  return `${entriesPath(tenantId, type)}/export?${new URLSearchParams(query)}`;
}

function reportOf(text: string): ImportReport {
  if (!text.endsWith('\n')) throw brokenOff();
  const lines = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
  const end = lines.at(-1);
  if (!end || !('done' in end)) throw brokenOff();
  const { created, updated, unchanged, failed, done, problem } = end;
  const badLines = lines.filter((line): line is BadLine => 'line' in line);
  return {
    ...{ created, updated, unchanged, failed, badLines },
    ...(!done && { stopped: problem?.detail ?? 'The import could not continue.' }),
  };
}
