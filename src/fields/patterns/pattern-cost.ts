/** A longer pattern is not analyzed. Its size counts as infinite. */
const MAX_LENGTH = 300;

/** Number of instructions that a Unicode class (`\pL`) counts as, because its table is built from hundreds of ranges. */
const UNICODE_CLASS = 50;

const REPEAT = /^\{(\d+)(?:,(\d*))?\}/;
/** Flags that ignore case, and characters whose case takes long to fold. */
const FOLDS = /\(\?[a-zA-Z]*i/;
const WIDE = /[^ -~]|\\[pPxuU]/;

/**
 * Estimates how many instructions a pattern compiles to, in a time that depends only on its length. Returns Infinity if compiling may take
 * more than about two milliseconds. An estimate that is too low costs time, but the result stays correct.
 */
export function estimateSize(source: string): number {
  if (source.length > MAX_LENGTH || source.includes('\\Q') || (FOLDS.test(source) && WIDE.test(source)))
    return Infinity;
  // The sizes of the open groups, and the size of the last element in the innermost one.
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
        // Each repetition copies the element, and adds a jump if it is optional.
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
  // A bracket in the first place is literal.
  let at = start + 1;
  if (source[at] === '^') at++;
  for (at++; at < source.length && source[at] !== ']'; at++) if (source[at] === '\\') at++;
  return at;
}
