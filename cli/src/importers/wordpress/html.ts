import type { Report } from '../moving/report.js';

const BLOCK_COMMENT = /<!--\s*\/?wp:[\s\S]*?-->\n?/g;
const DYNAMIC_BLOCK = /<!--\s*wp:([a-z0-9/-]+)(?:\s+\{[\s\S]*?\})?\s*\/-->/g;
const SHORTCODE = /\[([a-z][a-z0-9_-]*)(?=[\s\]/])[^\]\n]*\]/g;
const CAPTION = /\[caption[^\]]*\]\s*((?:<a [^>]*>\s*)?<img[^>]*>(?:\s*<\/a>)?)([\s\S]*?)\[\/caption\]/g;
/** Elements that are not put into a paragraph. */
const BLOCK_ELEMENT =
  /^\s*<\/?(?:address|article|aside|audio|blockquote|canvas|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|iframe|li|main|nav|noscript|object|ol|p|pre|script|section|style|summary|table|tbody|td|tfoot|th|thead|tr|ul|video)\b/i;
/** Parts in which line ends mean something. */
const KEPT = /<(pre|script|style|textarea)\b[\s\S]*?<\/\1>/gi;

/** Returns the HTML that WordPress shows for the content of a post. */
export function htmlOf(content: string, where: string, report: Report): string {
  const text = content.replaceAll('\r\n', '\n').trim();
  const isOfBlocks = /<!--\s*wp:/.test(text);
  const shown = text.replace(
    CAPTION,
    (_all, image: string, caption: string) =>
      `<figure>${image.trim()}<figcaption>${caption.trim()}</figcaption></figure>`,
  );
  const html = isOfBlocks ? withoutBlocks(shown, where, report) : withParagraphs(shown);
  for (const [, name] of html.replace(KEPT, '').matchAll(SHORTCODE)) {
    report.add('A shortcode stays in the text: only WordPress knows what it shows.', `${where}: [${name}]`);
  }
  return html;
}

function withoutBlocks(text: string, where: string, report: Report): string {
  for (const [, name] of text.matchAll(DYNAMIC_BLOCK)) {
    report.add('A block is left out: WordPress makes its HTML only when it shows a page.', `${where}: ${name}`);
  }
  return text
    .replace(BLOCK_COMMENT, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** The classic editor stores no paragraphs: an empty line divides them, and a line end is a line break. */
function withParagraphs(text: string): string {
  if (!text.includes('\n') && BLOCK_ELEMENT.test(text)) return text;
  const kept: string[] = [];
  const marked = text.replace(KEPT, (part) => `\n\n\uE000${kept.push(part) - 1}\uE000\n\n`);
  const parts = marked
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter(Boolean);
  const paragraphs = parts.map((part) => {
    if (BLOCK_ELEMENT.test(part) || part.startsWith('\uE000')) return part;
    return `<p>${part.replace(/(?<!<br ?\/?>)\n/g, '<br>\n')}</p>`;
  });
  return paragraphs.join('\n').replace(/\uE000(\d+)\uE000/g, (_mark, index: string) => kept[Number(index)] ?? '');
}
