/** A stored file, as values name it. */
export interface KnownFile {
  id: string;
  url: string;
  alt: string;
}

/** What was not known when the source was read. */
export interface Known {
  /** The ID of an entry; undefined if there is no such entry. */
  idOf(key: string): string | undefined;
  fileOf(key: string): KnownFile | undefined;
  /** The URL of the stored file that was at this URL of the source. */
  urlOf(url: string): string | undefined;
}

const IN_HTML = /trivet-(entry|file):([^"'\s<>&]+)/g;
/** URLs with a host, and paths of uploads, as they stand in HTML. */
const URLS = /(?:https?:)?\/\/[^\s"'<>()[\]\\]+|(?<![\w/.-])\/(?:wp-content\/)?uploads\/[^\s"'<>()[\]\\]+/g;

/** Returns the value with IDs, files and URLs in the place of marks; undefined if nothing of it is left. `lost` gets the keys that lead nowhere. */
export function resolved(value: unknown, known: Known, lost: (key: string) => void): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => resolved(item, known, lost)).filter((item) => item !== undefined);
    return items.length === 0 && value.length > 0 ? undefined : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const { $entry, $file, $html, alt } = value as Record<string, unknown>;
  if (typeof $entry === 'string') return known.idOf($entry) ?? void lost($entry);
  if (typeof $file === 'string') {
    const file = known.fileOf($file);
    return file ? { id: file.id, alt: typeof alt === 'string' ? alt : file.alt } : void lost($file);
  }
  if (typeof $html === 'string') return htmlWith($html, known, lost);
  const entries = Object.entries(value).map(([name, one]) => [name, resolved(one, known, lost)] as const);
  return Object.fromEntries(entries.filter(([, one]) => one !== undefined));
}

/** The keys of the entries that a value refers to. */
export function* keysIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  const { $entry } = value as { $entry?: unknown };
  if (typeof $entry === 'string') yield $entry;
  else for (const one of Object.values(value)) yield* keysIn(one);
}

/** Undefined for a text of the source that only looks like a mark. */
function decoded(key: string): string | undefined {
  try {
    return decodeURIComponent(key);
  } catch {
    return undefined;
  }
}

function htmlWith(html: string, known: Known, lost: (key: string) => void): string {
  const marked = html.replace(IN_HTML, (mark: string, kind: string, encoded: string) => {
    const key = decoded(encoded);
    if (key === undefined) return mark;
    const found = kind === 'entry' ? known.idOf(key) : known.fileOf(key)?.url;
    if (found === undefined) lost(key);
    return found ?? '';
  });
  return marked.replace(URLS, (url) => {
    const [, bare = url, end = ''] = /^(.*?)([.,;:!?]*)$/s.exec(url) ?? [];
    const found = known.urlOf(bare);
    return found === undefined ? url : found + end;
  });
}
