import { decoded } from './short-text';

/** The only element of a fragment. */
const PARTS = /(<\/?mark>)/;

/** A fragment of a highlight as text, with its marks. Whatever else it holds is text too. */
export function Highlight({ fragment }: { fragment: string }) {
  let isMarked = false;
  return fragment.split(PARTS).map((part, index) => {
    if (part === '<mark>' || part === '</mark>') {
      isMarked = part === '<mark>';
      return null;
    }
    const text = decoded(part);
    return isMarked ? <mark key={index}>{text}</mark> : text;
  });
}

/** The text of a fragment, without marks. */
export function plainText(fragment: string): string {
  return decoded(fragment.replace(/<\/?mark>/g, ''));
}
