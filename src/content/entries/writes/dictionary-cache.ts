import { Injectable } from '@nestjs/common';
import { afterCommit } from '../../../database/unit-of-work.js';
import { TenantCache } from '../../../admission/tenant-cache.js';

const CACHE_BYTES = 16 * 1024 * 1024;
/** Memory of a word in its set, about. */
const WORD_BYTES = 72;
/** Words of a content type that are remembered. If it has more, the memory of its words starts again. */
const MAX_WORDS = 100_000;

/**
 * Remembers which words the dictionaries of content types have, so that a write sends only words that may be new. Words are never removed
 * from a dictionary while its type exists.
 */
@Injectable()
export class DictionaryCache {
  private readonly types = new TenantCache<Set<string>>(CACHE_BYTES);

  /** Returns the words that are not known, each once, sorted. */
  unknown(tenantId: string, typeId: string, words: Iterable<string>): string[] {
    const known = this.types.get(tenantId, typeId);
    const unknown = new Set<string>();
    for (const word of words) if (!known?.has(word)) unknown.add(word);
    return [...unknown].sort();
  }

  /** Call it when the words were written. They are remembered when they are committed. */
  add(tenantId: string, typeId: string, words: readonly string[]): void {
    if (words.length > 0) void afterCommit(() => this.remember(tenantId, typeId, words));
  }

  private remember(tenantId: string, typeId: string, words: readonly string[]): void {
    let known = this.types.get(tenantId, typeId);
    if (!known || known.size + words.length > MAX_WORDS) known = new Set();
    for (const word of words) known.add(copyOf(word));
    this.types.set(tenantId, typeId, known, known.size * WORD_BYTES);
  }
}

/** Returns the parameters of the part that adds the words to the dictionary. */
export function newWordColumns(words: readonly string[]): {
  newWords: readonly string[];
  newLengths: readonly number[];
} {
  return { newWords: words, newLengths: words.map(lengthOf) };
}

/** The number of characters as PostgreSQL counts them. */
function lengthOf(word: string): number {
  let length = 0;
  for (let index = 0; index < word.length; index += word.codePointAt(index)! > 0xffff ? 2 : 1) length++;
  return length;
}

/** A word is a part of its text, which it would keep in memory. */
function copyOf(word: string): string {
  return Buffer.from(word).toString();
}
