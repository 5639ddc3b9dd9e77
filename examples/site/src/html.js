/** HTML that is not escaped again. */
export class Html extends String {}

/**
 * A template whose values are escaped, unless they are HTML themselves. Lists are joined, and what is missing is left out.
 * @param {TemplateStringsArray} parts
 * @param {unknown[]} values
 */
export function html(parts, ...values) {
  return new Html(parts.reduce((text, part, index) => text + textOf(values[index - 1]) + part));
}

/** @type {(value: unknown) => string} */
function textOf(value) {
  if (Array.isArray(value)) return value.map(textOf).join('');
  if (value instanceof Html) return value.toString();
  return String(value || '').replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
