import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Bindings } from '../../database/statements/bindings.js';
import { Database } from '../../database/database.js';
import type { Caller } from '../../http/caller.js';
import { wordsOfParent } from '../../lists/conditions/scope.js';
import type { ListTable } from '../../lists/engine/list-table.js';

/** Words whose rarity is in memory. */
const MAX_WORDS = 10_000;
/** How long a rarity is used. Pages of one search should have one order, and counting a frequent word takes long. */
const TTL_MS = 10 * 60_000;
/** Entries of a word that are counted. Rarer words are told apart; the others weigh little anyway. */
const COUNT_TO = 20_000;

/** How rare words are in the entries of a content type. */
@Injectable()
export class WordRarities {
  private readonly rarities = new LRUCache<string, number>({ max: MAX_WORDS, ttl: TTL_MS });

  constructor(private readonly database: Database) {}

  /** Returns the rarity of each word, which is given as the text of a tsquery: the inverse document frequency of BM25. */
  async of({ tenantId, share }: Caller, table: ListTable, words: readonly string[]): Promise<number[]> {
    // The rarity of a single word affects no order.
    if (words.length < 2) return words.map(() => 1);
    const { parent, words: { table: name, view = '' } = { table: '' } } = table;
    const keyOf = (word: string) => `${parent?.id} ${view} ${word}`;
    const unknown = words.filter((word) => !this.rarities.has(keyOf(word)));
    if (unknown.length > 0) {
      const bindings = new Bindings();
      const scope = { bindings, table, parent: bindings.add(parent?.id ?? null) };
      const counts = await this.database.reads.queryComposed<{ word: string; documents: number; entries: number }>(
        tenantId,
        {
          text: `SELECT s.word, (SELECT count(*) FROM (
                SELECT FROM ${name} w WHERE ${wordsOfParent('w', scope)} AND w.words @@ s.word::tsquery LIMIT ${COUNT_TO}
              ) x) AS documents,
              (SELECT coalesce(sum(drafts + published), 0)::bigint FROM entry_counts WHERE tenant_id = $1 AND content_type_id = $2) AS entries
            FROM unnest(${bindings.add(unknown)}::text[]) AS s (word)`,
          values: bindings.values,
        },
        share,
      );
      for (const { word, documents, entries } of counts) this.rarities.set(keyOf(word), rarity(documents, entries));
    }
    return words.map((word) => this.rarities.get(keyOf(word)) ?? 1);
  }
}

function rarity(documents: number, entries: number): number {
  const others = Math.max(0, entries - documents);
  return Math.log(1 + (others + 0.5) / (documents + 0.5));
}
