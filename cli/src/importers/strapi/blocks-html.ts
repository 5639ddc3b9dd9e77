import { escaped } from '../contentful/rich-text.js';

interface Node {
  type?: string;
  text?: string;
  children?: Node[];
  level?: number;
  format?: string;
  url?: string;
  image?: { url?: string; alternativeText?: string | null };
  bold?: boolean;
  italic?: boolean;
  underline?: boolean;
  strikethrough?: boolean;
  code?: boolean;
}

const MARKS = [
  ['bold', 'strong'],
  ['italic', 'em'],
  ['underline', 'u'],
  ['strikethrough', 's'],
  ['code', 'code'],
] as const;

/** Renders the value of a `blocks` field as HTML. */
export function blocksHtml(nodes: unknown): string {
  return (Array.isArray(nodes) ? (nodes as Node[]) : []).map(htmlOf).join('\n');
}

function htmlOf(node: Node): string {
  const inner = () => (node.children ?? []).map(htmlOf).join('');
  switch (node.type) {
    case 'heading':
      return `<h${levelOf(node)}>${inner()}</h${levelOf(node)}>`;
    case 'list':
      return node.format === 'ordered' ? `<ol>${inner()}</ol>` : `<ul>${inner()}</ul>`;
    case 'list-item':
      return `<li>${inner()}</li>`;
    case 'quote':
      return `<blockquote>${inner()}</blockquote>`;
    case 'code':
      return `<pre><code>${inner()}</code></pre>`;
    case 'image':
      return `<img src="${escaped(node.image?.url ?? '')}" alt="${escaped(node.image?.alternativeText ?? '')}">`;
    case 'link':
      return `<a href="${escaped(node.url ?? '')}">${inner()}</a>`;
    case 'paragraph':
      return inner() === '' ? '' : `<p>${inner()}</p>`;
    case undefined:
    default:
      return node.text === undefined ? inner() : textOf(node, node.text);
  }
}

function textOf(node: Node, text: string): string {
  const plain = escaped(text).replaceAll('\n', '<br>');
  return MARKS.reduce((html, [mark, tag]) => (node[mark] ? `<${tag}>${html}</${tag}>` : html), plain);
}

function levelOf({ level = 2 }: Node): number {
  return Math.min(6, Math.max(1, Math.trunc(level)));
}
