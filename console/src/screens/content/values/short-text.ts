/** Characters of a value that a list shows at most. */
const SHOWN = 200;
/** Characters of HTML that are read for them. */
const READ = 4_000;

/** What is not text, and elements that begin a line of their own. */
const SILENT = /<!--[\s\S]*?(?:-->|$)|<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)/gi;
const BLOCK =
  /<\/?(?:p|div|br|hr|h[1-6]|ul|ol|li|table|tr|td|th|blockquote|pre|section|article|figure|figcaption)\b[^>]*>/gi;
const TAG = /<\/?[a-z][^>]*(?:>|$)/gi;

/** The text as one line, which may end early. */
export function shortened(text: string): string {
  const line = text
    .slice(0, 4 * SHOWN)
    .replace(/\s+/gu, ' ')
    .trim();
  const characters = [...line];
  return characters.length > SHOWN ? `${characters.slice(0, SHOWN).join('')}…` : line;
}

/** The beginning of the text in HTML that somebody wrote, as far as a list needs it. */
export function textOfHtml(html: string): string {
  return textIn(html.slice(0, READ), ' ');
}

/** All of the text in HTML, a line for each paragraph. */
export function linesOfHtml(html: string): string {
  const lines = textIn(html.replace(/\s+/gu, ' '), '\n').split('\n');
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
}

function textIn(html: string, gap: string): string {
  return decoded(html.replace(SILENT, gap).replace(BLOCK, gap).replace(TAG, ''));
}

/** The text with its entities read. No element is made of it, whatever it holds. */
export function decoded(text: string): string {
  if (!text.includes('&')) return text;
  // A parser leaves out white space at the beginning of a page.
  const page = `.${text.replace(/</g, '&lt;')}`;
  return new DOMParser().parseFromString(page, 'text/html').body.textContent.slice(1);
}
