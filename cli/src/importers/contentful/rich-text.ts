import { documentToHtmlString, type Next, type Options } from '@contentful/rich-text-html-renderer';
import { entryInHtml, fileInHtml } from '../moving/model.js';

interface Node {
  nodeType: string;
  data: { target?: { sys?: { id?: string; linkType?: string } } };
  content?: readonly Node[];
}

/** What a rich text refers to: entries and files by the IDs of Contentful. */
export interface RichTextLinks {
  entryKey(id: string): string;
  /** Undefined if there is no such asset. */
  asset(id: string): { key: string; alt: string; filename: string; isImage: boolean } | undefined;
  /** Called for what has another form in HTML, or none. */
  note(message: string): void;
}

const EMBEDDED =
  'An entry inside a rich text is an element with its ID in data-entry: the site decides how to show it.';

/** Renders a rich text as HTML. */
export function richTextHtml(document: unknown, links: RichTextLinks): string {
  const entry = (tag: string) => (node: unknown, next: Next) => {
    const id = targetOf(node);
    if (id === undefined) return inner(node, next);
    links.note(EMBEDDED);
    return `<${tag} data-entry="${entryInHtml(links.entryKey(id))}">${inner(node, next)}</${tag}>`;
  };
  const asset = (node: unknown, next: Next) => {
    const found = assetOf(node, links);
    if (!found) return inner(node, next);
    const url = fileInHtml(found.key);
    if (found.isImage) return `<img src="${url}" alt="${escaped(found.alt)}">`;
    return `<a href="${url}">${inner(node, next) || escaped(found.alt || found.filename)}</a>`;
  };
  const link = (node: unknown, next: Next) => {
    const found = assetOf(node, links);
    return found ? `<a href="${fileInHtml(found.key)}">${inner(node, next)}</a>` : inner(node, next);
  };
  const renderNode = {
    'embedded-asset-block': asset,
    'embedded-entry-block': entry('div'),
    'embedded-entry-inline': entry('span'),
    'entry-hyperlink': entry('a'),
    'asset-hyperlink': link,
  } as unknown as NonNullable<Options['renderNode']>;
  return documentToHtmlString(document as Parameters<typeof documentToHtmlString>[0], { renderNode });
}

function inner(node: unknown, next: Next): string {
  return next(((node as Node).content ?? []) as Parameters<Next>[0]);
}

function targetOf(node: unknown): string | undefined {
  return (node as Node).data.target?.sys?.id;
}

function assetOf(node: unknown, links: RichTextLinks): ReturnType<RichTextLinks['asset']> {
  const id = targetOf(node);
  const found = id === undefined ? undefined : links.asset(id);
  if (!found) links.note('A file inside a rich text is missing, and was left out.');
  return found;
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
