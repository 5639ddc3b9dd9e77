import { runAtOnce, type SlicedWork } from '../../admission/sliced-work.js';
import { foldWordsSliced } from '../../search/fold-words.js';

/** Scripts that do not separate words by spaces: each of their characters counts as a word. */
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}`;
const IN_WORDS = String.raw`\p{L}\p{N}\p{M}_`;
/** A character of such a script, a word, or another sign that is not a space. */
const TOKEN = new RegExp(`[${UNSPACED}]|(?:(?![${UNSPACED}])[${IN_WORDS}])+|[^\\s${IN_WORDS}]`, 'gu');
/** Invisible characters, such as a space without a width. */
const INVISIBLE = /\p{Cf}+/gu;
/** Tokens that one step looks at. */
const STEP = 1_000;

interface Node {
  next: Map<string, Node>;
  isEnd: boolean;
}

/** Finds blocked words and phrases in texts: whole words, whatever their case and accents. */
export class BlockedWords {
  private readonly root: Node = { next: new Map(), isEnd: false };

  constructor(words: readonly string[]) {
    for (const word of words) this.add(runAtOnce(tokensOf(word)));
  }

  /** Returns whether one of the texts contains one of the words. */
  *areInSliced(texts: Iterable<string>): SlicedWork<boolean> {
    for (const text of texts) {
      const tokens = yield* tokensOf(text);
      for (let at = 0; at < tokens.length; at++) {
        if (this.beginsAt(tokens, at)) return true;
        if (at % STEP === STEP - 1) yield;
      }
    }
    return false;
  }

  private add(tokens: readonly string[]): void {
    if (tokens.length === 0) return;
    let node = this.root;
    for (const token of tokens) {
      const next: Node = node.next.get(token) ?? { next: new Map<string, Node>(), isEnd: false };
      node.next.set(token, next);
      node = next;
    }
    node.isEnd = true;
  }

  private beginsAt(tokens: readonly string[], from: number): boolean {
    let node: Node | undefined = this.root;
    for (let at = from; node; at++) {
      if (node.isEnd) return true;
      const token: string | undefined = tokens[at];
      node = token === undefined ? undefined : node.next.get(token);
    }
    return false;
  }
}

function* tokensOf(text: string): SlicedWork<string[]> {
  const folded = (yield* foldWordsSliced(text)).replace(INVISIBLE, '');
  const tokens: string[] = [];
  for (const [token] of folded.matchAll(TOKEN)) {
    tokens.push(token);
    if (tokens.length % STEP === 0) yield;
  }
  return tokens;
}
