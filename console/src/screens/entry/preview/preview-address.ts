import type { ContentType } from '../../../api/content-types';
import type { EntryFields } from '../../../api/entry';
import { labelOf } from '../../content/fields';

const BRACES = /\{([^{}]*)\}/g;
/** What stands for the token of a preview link. */
const TOKEN = 'token';

/** Where a site shows an entry, or the labels of the fields that are missing in its address. */
type PreviewAddress = { readonly url: string } | { readonly missing: readonly string[] };

/** Fills the address that a content type has for previews. */
export function previewAddress(
  template: string,
  { fields }: Pick<ContentType, 'fields'>,
  values: EntryFields,
  token = '',
): PreviewAddress {
  const texts = new Map(namesIn(template).map((name) => [name, name === TOKEN ? token : textOf(values[name])]));
  const missing = [...texts].flatMap(([name, text]) => (text === '' && name !== TOKEN ? [name] : []));
  if (missing.length > 0) return { missing: missing.map((name) => labelIn(fields, name)) };
  return { url: template.replace(BRACES, (_, name: string) => encodeURIComponent(texts.get(name) ?? '')) };
}

/** Whether the address has the token of a preview link. */
export function needsToken(template: string): boolean {
  return namesIn(template).includes(TOKEN);
}

/** The origin of the site. */
export function siteOf(template: string): string {
  return URL.canParse(template) ? new URL(template).origin : '';
}

function namesIn(template: string): string[] {
  return [...template.matchAll(BRACES)].map(([, name = '']) => name);
}

function textOf(value: unknown): string {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
}

function labelIn(fields: ContentType['fields'], name: string): string {
  const field = fields.find((each) => each.name === name);
  return field ? labelOf(field) : name;
}
