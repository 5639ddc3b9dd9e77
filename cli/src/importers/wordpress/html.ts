import type { Report } from '../moving/report.js';

const SHORTCODE = /\[([a-z][a-z0-9_-]*)(?=[\s\]/])[^\][\n]{0,1000}\]/g;
const CAPTION =
  /\[caption[^\][]{0,1000}\]\s*((?:<a [^<>]{0,5000}>\s*)?<img[^<>]{0,5000}>(?:\s*<\/a>)?)([\s\S]*?)\[\/caption\]/g;
/** A comment of the block editor: what opens a block, what closes it, or a block without content. */
const BLOCK_COMMENT = /^\s*\/?wp:([a-z0-9/-]+)/;
/** Elements that are not put into a paragraph. */
const BLOCK_ELEMENT =
  /^\s*<\/?(?:address|article|aside|audio|blockquote|canvas|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|iframe|li|main|nav|noscript|object|ol|p|pre|script|section|style|summary|table|tbody|td|tfoot|th|thead|tr|ul|video)\b/i;
/** Elements in which line ends mean something. */
const KEPT = /<(pre|script|style|textarea)\b/gi;

/** Returns the HTML that WordPress shows for the content of a post. The time that it takes grows with the length only. */
export function htmlOf(content: string, where: string, report: Report): string {
  const text = content.replaceAll('\r\n', '\n').trim();
  const isOfBlocks = /<!--\s*wp:/.test(text);
  const [captioned, rest] = dividedAfterLast(text, '[/caption]');
  const shown =
    captioned.replace(
      CAPTION,
      (_all, image: string, caption: string) =>
        `<figure>${image.trim()}<figcaption>${caption.trim()}</figcaption></figure>`,
    ) + rest;
  const html = isOfBlocks ? withoutBlocks(shown, where, report) : withParagraphs(shown);
  const others = partsOf(html).filter(({ isKept }) => !isKept);
  for (const { text: part } of others) {
    for (const [, name] of part.matchAll(SHORTCODE))
      report.add('A shortcode stays in the text: only WordPress knows what it shows.', `${where}: [${name}]`);
  }
  return html;
}

function withoutBlocks(text: string, where: string, report: Report): string {
  const [commented, rest] = dividedAfterLast(text, '-->');
  const html = commented.replace(/<!--([\s\S]*?)-->\n?/g, (comment, inner: string) => {
    const [, name] = BLOCK_COMMENT.exec(inner) ?? [];
    if (name === undefined) return comment;
    if (inner.trimEnd().endsWith('/'))
      report.add('A block is left out: WordPress makes its HTML only when it shows a page.', `${where}: ${name}`);
    return '';
  });
  return (html + rest).replace(/\n{3,}/g, '\n\n').trim();
}

/** The classic editor stores no paragraphs: an empty line divides them, and a line end is a line break. */
function withParagraphs(text: string): string {
  if (!text.includes('\n') && BLOCK_ELEMENT.test(text)) return text;
  const kept: string[] = [];
  const marked = partsOf(text)
    .map(({ text: part, isKept }) => (isKept ? `\n\n\uE000${kept.push(part) - 1}\uE000\n\n` : part))
    .join('');
  const parts = marked
    .split(/\n[^\S\n]*\n/)
    .map((part) => part.trim())
    .filter(Boolean);
  const paragraphs = parts.map((part) => {
    if (BLOCK_ELEMENT.test(part) || part.startsWith('\uE000')) return part;
    return `<p>${part.replace(/(?<!<br ?\/?>)\n/g, '<br>\n')}</p>`;
  });
  return paragraphs.join('\n').replace(/\uE000(\d+)\uE000/g, (_mark, index: string) => kept[Number(index)] ?? '');
}

/** Divides a text into elements in which line ends mean something, and what is between them. */
function partsOf(text: string): { text: string; isKept: boolean }[] {
  const parts: { text: string; isKept: boolean }[] = [];
  /** Elements that are not closed any more. */
  const open = new Set<string>();
  const begin = new RegExp(KEPT);
  let at = 0;
  for (let found = begin.exec(text); found; found = begin.exec(text)) {
    const name = found[1]!.toLowerCase();
    if (open.has(name)) continue;
    const end = new RegExp(`</${name}>`, 'gi');
    end.lastIndex = found.index;
    if (!end.test(text)) {
      open.add(name);
      continue;
    }
    parts.push({ text: text.slice(at, found.index), isKept: false });
    parts.push({ text: text.slice(found.index, end.lastIndex), isKept: true });
    at = begin.lastIndex = end.lastIndex;
  }
  return [...parts, { text: text.slice(at), isKept: false }];
}

/** A text up to the end of the last `mark`, and the rest. In the first part, a search for the next mark never runs to the end for nothing. */
function dividedAfterLast(text: string, mark: string): [before: string, after: string] {
  const at = text.lastIndexOf(mark);
  const end = at < 0 ? 0 : at + mark.length;
  return [text.slice(0, end), text.slice(end)];
}
