/** `{{name}}`, with or without spaces inside. Field names of forms consist of these characters. */
const PLACEHOLDER = /\{\{\s*([A-Za-z0-9_-]{1,64})\s*\}\}/g;

/** Returns the names of the fields that the placeholders of a text stand for, each once. */
export function placeholdersIn(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(PLACEHOLDER), ([, name = '']) => name))];
}

/** Replaces each placeholder with what `valueOf` returns for its field. Nothing in a value is evaluated. */
export function fillPlaceholders(text: string, valueOf: (name: string) => string): string {
  return text.replace(PLACEHOLDER, (_placeholder, name: string) => valueOf(name));
}
