import type { Spool } from './spool.js';
import type { Report } from './report.js';

/** A definition of a field, as the API takes it. `content_types` has slugs. */
export interface FieldDraft {
  name: string;
  type: string;
  label?: string;
  multiple?: boolean;
  unique?: boolean;
  localized?: boolean;
  options?: string[];
  content_types?: string[];
  fields?: FieldDraft[];
  blocks?: { name: string; label?: string; fields: FieldDraft[] }[];
}

/** A content type to create. */
export interface TypeDraft {
  slug: string;
  name: string;
  fields: FieldDraft[];
}

export interface LocaleDraft {
  code: string;
  name: string;
  fallback: string | null;
}

/**
 * An entry to write. `key` names it in its source. A value may contain `entryMark`, `fileMark` and `htmlMark` in the place of what is not known
 * before entries and files are written. The value of a localized field is an object from code to value.
 */
export interface EntryDraft {
  key: string;
  status: 'draft' | 'published';
  fields: Record<string, unknown>;
  /** Values that are not live yet, if the entry is published. */
  draft?: Record<string, unknown>;
}

/** A file to store, and what its source says about it. It has a URL, or a path in the spool. */
export interface FileDraft extends Pick<EntryDraft, 'key' | 'fields'> {
  alt: string;
  filename: string;
  url?: string;
  path?: string;
  /** Other URLs under which values name the file. */
  urls?: string[];
}

/** What an importer has read of a source. */
export interface Reading {
  /** The name of the program that wrote the file. */
  program: string;
  /** Tells this source from others of the same kind, so that two of them can be imported into one tenant. */
  source: string;
  locales?: { default: string; locales: LocaleDraft[] };
  /** The type of the entries that stand for files. It has the fields `file` and `source`. */
  fileType: TypeDraft;
  types: TypeDraft[];
  /** The slug of the type of each entry, by key. */
  typeOf: ReadonlyMap<string, string>;
  spool: Spool;
  report: Report;
}

/** The list of a spool that has the entries of a type. */
export const entriesOf = (slug: string) => `entries of ${slug}`;
/** The list of a spool that has the files. */
export const FILES = 'files';

export const entryMark = (key: string) => ({ $entry: key });
export const fileMark = (key: string, alt?: string) => ({ $file: key, ...(alt !== undefined && { alt }) });
export const htmlMark = (html: string) => ({ $html: html });
/** What stands in HTML for the ID of an entry, and for the URL of a file. */
export const entryInHtml = (key: string) => `trivet-entry:${encodeURIComponent(key)}`;
export const fileInHtml = (key: string) => `trivet-file:${encodeURIComponent(key)}`;
