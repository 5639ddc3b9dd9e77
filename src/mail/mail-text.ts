/** Control characters, line and paragraph separators, and what turns the direction of the text around it. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;
/** Control characters but tab and line feed. */
const CONTROLS = /(?![\t\n])\p{Cc}/gu;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** The text as one line that can end nothing and hide nothing: for headers, labels and the log. */
export function oneLine(text: string): string {
  return text.replace(UNPRINTABLE, ' ').trim();
}

/** The lines of a text, whichever way they end. */
export function linesOf(text: string): string[] {
  return text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(CONTROLS, '')
    .split('\n');
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
