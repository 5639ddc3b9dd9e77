import { escapeHtml } from '../../fields/formats/escape-html.js';
import type { FieldDefinition } from '../../fields/field-definition.js';
import { labelOf } from '../../fields/labels.js';
import { isRecord, supplied } from '../../fields/record.js';
import { htmlPage, PAGE_HEADERS } from '../../http/pages/html-page.js';
import type { EntryFields } from '../entries/writes/entry-values.js';

/** Characters of an entry's JSON that a page shows. */
const MAX_CHARACTERS = 512 * 1024;

const TOO_LARGE = '<p>This entry is too large for a page. Programs get all of it as JSON.</p>';

/** What a page of an entry is made of. `fields` is JSON; `isDraft` says whether it has values that are not live. */
interface ShownEntry {
  typeName: string;
  /** What the URLs of files begin with. */
  base: string;
  definitions: readonly FieldDefinition[];
  title: string | undefined;
  fields: string;
  status: string;
  isDraft: boolean;
}

/**
 * The headers of such a page: it loads pictures of the service and nothing else, runs no script, and no other page may frame it. `base` is what
 * the URLs of files begin with.
 */
export function previewHtmlHeaders(base: string): Readonly<Record<string, string>> {
  const { 'Content-Security-Policy': policy, ...others } = PAGE_HEADERS;
  return {
    ...others,
    'Content-Security-Policy': policy.replace('img-src data:', `img-src 'self' ${new URL(base).origin} data:`),
    'Cache-Control': 'no-store',
    Vary: 'Accept',
    'X-Robots-Tag': 'noindex',
  };
}

/** Returns a page for people with the values of an entry. Every value is escaped; rich text is in a frame without scripts. */
export function previewHtml({ typeName, base, definitions, title, fields, status, isDraft }: ShownEntry): string {
  if (fields.length > MAX_CHARACTERS) return htmlPage(typeName, `<h1>${escapeHtml(typeName)}</h1>\n${TOO_LARGE}`);
  const values = JSON.parse(fields) as EntryFields;
  const named = title === undefined ? undefined : supplied(values, title);
  const heading = typeof named === 'string' && named !== '' ? named : typeName;
  const state = status === 'published' ? (isDraft ? 'Published, with changes' : 'Published') : 'Draft';
  return htmlPage(
    heading,
    `<h1 dir="auto">${escapeHtml(heading)}</h1>
<p><small>${escapeHtml(typeName)}, ${state}</small></p>
${listOf(definitions, values, base)}`,
  );
}

/** The values of fields that have one. */
function listOf(
  definitions: readonly FieldDefinition[],
  values: Readonly<Record<string, unknown>>,
  base: string,
): string {
  const items = definitions.flatMap((definition) => {
    const value = supplied(values, definition.name);
    if (value === undefined) return [];
    return `<dt>${escapeHtml(labelOf(definition))}</dt>\n<dd>${valueOf(definition, value, base)}</dd>`;
  });
  return items.length === 0 ? '<p>No values.</p>' : `<dl>\n${items.join('\n')}\n</dl>`;
}

function valueOf(definition: FieldDefinition, value: unknown, base: string): string {
  if (definition.type === 'blocks') return elementsOf(value, (block) => blockOf(definition, block, base));
  return Array.isArray(value) && definition.type !== 'json'
    ? elementsOf(value, (one) => oneOf(definition, one, base))
    : oneOf(definition, value, base);
}

function elementsOf(value: unknown, show: (one: unknown) => string): string {
  const list: unknown[] = Array.isArray(value) ? value : [];
  return `<ul>\n${list.map((one) => `<li>${show(one)}</li>`).join('\n')}\n</ul>`;
}

function blockOf({ blocks = [] }: FieldDefinition, value: unknown, base: string): string {
  if (!isRecord(value)) return '';
  const block = blocks.find(({ name }) => name === value['block']);
  return block ? `${escapeHtml(labelOf(block))}${listOf(block.fields, value, base)}` : '';
}

function oneOf({ type, fields = [] }: FieldDefinition, value: unknown, base: string): string {
  if (type === 'group' && isRecord(value)) return listOf(fields, value, base);
  if (type === 'media' && isRecord(value)) return mediaOf(value, base);
  if (type === 'rich_text') return frameOf(String(value));
  if (type === 'boolean') return value === true ? 'Yes' : 'No';
  if (typeof value === 'string') return `<pre dir="auto">${escapeHtml(value)}</pre>`;
  return `<pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre>`;
}

/** HTML runs nothing in such a frame, and inherits the policy of the page. */
function frameOf(html: string): string {
  return `<iframe sandbox="" srcdoc="${escapeHtml(html)}" width="100%" height="400" title="Rich text"></iframe>`;
}

/** A file of the service is shown; another address is a link. */
function mediaOf({ url, alt }: Record<string, unknown>, base: string): string {
  const [address, text] = [String(url), String(alt)].map(escapeHtml);
  if (String(url).startsWith('/media/'))
    return `<img src="${escapeHtml(base)}${address}" alt="${text}" width="320"><br>${text}`;
  return `<a href="${address}" rel="noopener noreferrer">${address}</a><br>${text}`;
}
