/** A pattern longer than this is not looked at: its cost counts as unknown. */
const MAX_LENGTH = 300;

/** Instructions that a Unicode class (`\pL`) counts for: its table is built from hundreds of ranges. */
const UNICODE_CLASS = 50;

const REPEAT = /^\{(\d+)(?:,(\d*))?\}/;
/** Flags that fold case, and characters whose folding takes long to find. */
const FOLDS = /\(\?[a-zA-Z]*i/;
const WIDE = /[^ -~]|\\[pPxuU]/;

/**
 * About how many instructions a pattern compiles to, in a time that does not depend on the pattern's meaning. Infinity for one whose
 * compilation may take more than about two milliseconds. A guess that is too low costs time, never correctness.
 */
export function estimateSize(source: string): number {
  if (source.length > MAX_LENGTH || source.includes('\\Q') || (FOLDS.test(source) && WIDE.test(source)))
    return Infinity;
  // What each open group holds; the size of the last element of the innermost.
  const groups = [0];
  let last = 0;
  const add = (size: number) => {
    last = size;
    groups[groups.length - 1] = (groups.at(-1) ?? 0) + size;
  };
  for (let at = 0; at < source.length; at++) {
    switch (source.charAt(at)) {
      case '\\':
        add(/[pP]/.test(source[at + 1] ?? '') ? UNICODE_CLASS : 1);
        at++;
        break;
      case '[': {
        const end = endOfClass(source, at);
        add(2 + UNICODE_CLASS * (source.slice(at, end).split(/\\[pP]/).length - 1));
        at = end;
        break;
      }
      case '(':
        groups.push(0);
        break;
      case ')': {
        const size = groups.length > 1 ? (groups.pop() ?? 0) : 0;
        add(size + 2);
        break;
      }
      case '{': {
        const [text, least, most] = REPEAT.exec(source.slice(at)) ?? [];
        const times = Math.max(Number(least ?? 1), Number(most ?? 0));
        const [once, before] = [last, groups.at(-1) ?? 0];
        // Each further time is the element again, and a jump where it is optional.
        add(once * times + (most === undefined ? 0 : times));
        last = (groups.at(-1) ?? 0) - before + once;
        at += (text?.length ?? 1) - 1;
        break;
      }
      default:
        add(1);
    }
  }
  return groups.reduce((sum, size) => sum + size, 2);
}

function endOfClass(source: string, start: number): number {
  // A bracket that comes first stands for itself.
  let at = start + 1;
  if (source[at] === '^') at++;
  for (at++; at < source.length && source[at] !== ']'; at++) if (source[at] === '\\') at++;
  return at;
}
