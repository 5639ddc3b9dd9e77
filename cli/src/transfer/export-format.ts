import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../exit-code.js';

/** The files of an export. Those with entries and submissions are JSON lines, one file for each content type and form. */
export const EXPORT = {
  manifest: 'export.json',
  schema: 'schema',
  entries: (slug: string) => join('entries', `${nameOf(slug)}.ndjson`),
  drafts: 'drafts.ndjson',
  submissions: (slug: string) => join('submissions', `${nameOf(slug)}.ndjson`),
  submissionFile: (id: string) => join('files', nameOf(id)),
  media: 'media.ndjson',
  mediaFile: (id: string) => join('media', nameOf(id)),
  webhooks: 'webhooks.ndjson',
} as const;

const FORMAT = 1;
/** Items of a page, of which each may have a megabyte. */
export const PER_PAGE = 50;

/** A slug or an ID as the name of a file. One that is neither must not lead out of the folder, whoever wrote it. */
function nameOf(name: string): string {
  if (/^[A-Za-z0-9_-]{1,200}$/.test(name)) return name;
  throw new UsageError(`${JSON.stringify(name)} is neither a slug nor an ID.`);
}

/** What is written last: an export without it is not complete. */
interface Manifest {
  readonly format: number;
  readonly tenant: string;
  readonly exported_at: string;
  readonly counts: Readonly<Record<string, number>>;
}

export function manifestOf(tenant: string, counts: Manifest['counts']): Manifest {
  return { format: FORMAT, tenant, exported_at: new Date().toISOString(), counts };
}

/** Throws a UsageError if the folder has no complete export. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, EXPORT.manifest), 'utf8').catch(() => undefined);
  if (text === undefined) {
    throw new UsageError(`${folder} has no complete export. Complete it: trivet export ${folder}`);
  }
  const manifest = parsed(text);
  if (manifest?.format === FORMAT) return manifest;
  throw new UsageError(
    `The export in ${folder} has the format ${manifest?.format ?? 'of something else'}, which this version does not know.`,
  );
}

function parsed(text: string): Manifest | undefined {
  try {
    return JSON.parse(text) as Manifest;
  } catch {
    return undefined;
  }
}

/** An entry as the file of its content type has it. */
export interface EntryLine {
  readonly id: string;
  readonly fields: Record<string, unknown>;
  readonly status: 'draft' | 'published';
  readonly locale?: string;
}

/** The own values of a draft; null where it removes a value. */
export interface DraftLine {
  readonly id: string;
  readonly content_type: string;
  readonly values: Record<string, unknown>;
  readonly locale?: string;
}

/** A submission as the file of its form has it. */
export interface SubmissionLine {
  readonly id: string;
  readonly files?: readonly { id: string; field: string; name: string; mime_type: string; size: number }[];
}

/** What a file is, and what values call it. */
export interface MediaLine {
  readonly id: string;
  readonly url: string;
  readonly alt: string;
  readonly filename: string;
  readonly mime_type: string;
  readonly size: number;
}

/** What has to be entered again for a webhook. */
export interface WebhookLine {
  readonly url: string;
  readonly signed: boolean;
  readonly headers: readonly string[];
}
