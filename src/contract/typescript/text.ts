/** Characters that a reader does not see, or that change how the text around them is shown. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/gu;
const PLAIN = /^[\x20-\x7e]*$/;
const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/;
/** Lines that are longer are broken up, one name on each. */
const MAX_LINE = 100;

/** A string as a literal of TypeScript, of visible characters only. */
export function literal(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll("'", "\\'").replaceAll('\\"', '"');
  return `'${PLAIN.test(inner) ? inner : inner.replace(HIDDEN, escaped)}'`;
}

/** The name of a property: quoted only where it has to be. */
export function propertyName(name: string): string {
  return IDENTIFIER.test(name) ? name : literal(name);
}

/** The alternatives of a type; `never` if there are none. Each is named once. */
export function union(types: Iterable<string>): string {
  const each = [...new Set(types)];
  if (each.length === 0) return 'never';
  const line = each.join(' | ');
  if (line.length <= MAX_LINE && !line.includes('\n')) return line;
  return each.length === 1 ? line : each.map((type) => `\n  | ${indented(indented(type)).trimStart()}`).join('');
}

/** A property of a type. `name` is as it is written. */
export function typeMember(name: string, type: string): string {
  return `${name}:${type.startsWith('\n') ? '' : ' '}${type};\n`;
}

export function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}

/**
 * Returns a documentation comment, or nothing without a text. Labels and hints are written by users: nothing in them ends the comment, hides
 * text, begins a tag, or is a directive for the compiler.
 */
export function comment(...parts: (string | undefined)[]): string {
  const lines = parts
    .flatMap((part) => (part ?? '').split(/\r\n|[\n\r\u2028\u2029]/))
    .map((line) => (PLAIN.test(line) ? line : line.replace(HIDDEN, ' ')).trim())
    .filter((line) => line !== '')
    .map((line) => line.replaceAll('*/', '*\\/').replace(/^@/, '\\@').replace(/^\//, '\\/'));
  if (lines.length === 0) return '';
  return lines.length === 1 ? `/** ${lines[0]} */\n` : `/**\n${lines.map((line) => ` * ${line}\n`).join('')} */\n`;
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    return `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
  }).join('');
}
