/** Escapes that mean the same in both syntaxes. */
const SAME = /^\\(?:[dDwWbBnrtfv^$\\.*+?()[\]{}|/]|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|[pP]\{\w+\})/;
const HEXADECIMAL = /^\\x\{([0-9A-Fa-f]{1,6})\}/;
const GROUP = /^\(\?(?:P?<(\w+)>|:)/;
/** RE2 knows only the spaces of ASCII. */
const SPACE = String.raw`\t\n\f\r `;

/**
 * Translates a pattern in RE2 syntax to one of ECMAScript with the flag `u` that matches the same texts, as JSON Schema has it. Returns
 * undefined for what ECMAScript cannot say, or says otherwise: flags (`(?i)`), classes of POSIX, scripts by their name alone.
 */
export function ecmaPattern(source: string): string | undefined {
  let pattern = '';
  for (let at = 0, isInClass = false; at < source.length;) {
    const token: Token | undefined = isInClass ? inClass(source.slice(at)) : outside(source.slice(at));
    if (!token) return undefined;
    pattern += token.text;
    at += token.length;
    isInClass = token.opens ?? (isInClass && source[at - token.length] !== ']');
  }
  return isValid(pattern) ? pattern : undefined;
}

interface Token {
  text: string;
  /** Characters of the source. */
  length: number;
  /** Whether a class begins. */
  opens?: true;
}

function outside(rest: string): Token | undefined {
  const [first = ''] = rest;
  if (first === '\\') return escaped(rest, { s: `[${SPACE}]`, S: `[^${SPACE}]`, A: '^', z: '$', '-': '-' });
  if (first === '.') return { text: String.raw`[^\n]`, length: 1 };
  if (first === '[') return classStart(rest);
  if (!rest.startsWith('(?')) return { text: first, length: first.length };
  const [group, name] = GROUP.exec(rest) ?? [];
  return group === undefined ? undefined : { text: name === undefined ? group : `(?<${name}>`, length: group.length };
}

function classStart(rest: string): Token | undefined {
  const [start = ''] = /^\[\^?/.exec(rest) ?? [];
  // The two syntaxes read a bracket at the beginning differently.
  return rest[start.length] === ']' ? undefined : { text: start, length: start.length, opens: true };
}

function inClass(rest: string): Token | undefined {
  const [first = ''] = rest;
  if (first === '[') return rest[1] === ':' ? undefined : { text: String.raw`\[`, length: 1 };
  if (first !== '\\') return { text: first, length: first.length };
  return /^\\[bB]/.test(rest) ? undefined : escaped(rest, { s: SPACE, '-': String.raw`\-` });
}

function escaped(rest: string, own: Readonly<Record<string, string>>): Token | undefined {
  const [same] = SAME.exec(rest) ?? [];
  if (same !== undefined) return { text: same, length: same.length };
  const [whole = '', code] = HEXADECIMAL.exec(rest) ?? [];
  if (code !== undefined) return { text: `\\u{${code}}`, length: whole.length };
  const character = rest.charAt(1);
  const text = Object.hasOwn(own, character)
    ? own[character]
    : /[!-/:-@[-`{-~]/.test(character)
      ? character
      : undefined;
  return text === undefined ? undefined : { text, length: 2 };
}

function isValid(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    // Linters do not set the flag.
    new RegExp(pattern);
    return true;
  } catch {
    return false;
  }
}
