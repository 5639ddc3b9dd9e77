import { Injectable } from '@nestjs/common';
import { heavyWork } from '../../admission/heavy-work.js';
import { runAtOnce } from '../../admission/sliced-work.js';
import { Bindings } from '../../database/statements/bindings.js';
import { Database } from '../../database/database.js';
import { type NearWord, nearestSliced, type SharedPart, sharedParts } from '../../search/near-words.js';
import {
  type CorrectionCandidate,
  type Correctable,
  correctableWords,
  type CorrectedSearch,
  correctionsOfAll,
  correctionsOfOne,
} from '../../search/search-correction.js';
import { lexeme } from '../../search/lexemes.js';
import { wordVector } from '../../search/search-match.js';
import type { SearchQuery } from '../../search/search-query.js';
import { readsRow } from '../../lists/conditions/condition.js';
import { meetsAll } from '../../lists/conditions/condition.sql.js';
import { rowById, type Scope, wordsOfParent } from '../../lists/conditions/scope.js';
import type { ListScope } from './entry-list.js';
import { entryTable } from './entry-table.js';
import { WORDS_BY_PARTS } from './search-words.sql.js';

/** Words that are compared at once. More take turns. */
const FEW_WORDS = 500;
/** Candidates whose entries are counted, for all words of a search, and how many of them at once. */
const MAX_CANDIDATES = 100;
const BATCH = 10;
/** Entries of a word that are counted, and the first of these, which are tested for the conditions. */
const MAX_ENTRIES = 1_000;
const MAX_TESTED = 100;
/** With this many frequent candidates, no more are counted: finding the entries of a very frequent word takes milliseconds. */
const ENOUGH_FREQUENT = 20;

/** The number of entries that have a word, and how many of the tested ones meet the conditions. */
interface Holders {
  entries: number;
  matches: number;
}

/** Finds words that may be meant by a search that finds nothing. */
@Injectable()
export class SearchCorrections {
  constructor(private readonly database: Database) {}

  /**
   * Returns searches to try instead, best first; at most a handful. Replaces the words that find nothing by themselves, or any one word if
   * each of them finds something.
   */
  async of(scope: ListScope, search: string, query: SearchQuery): Promise<CorrectedSearch[]> {
    const words = correctableWords(query);
    if (words.length === 0) return [];
    const holders = await this.holders(
      scope,
      words.map((one) => vectorOf(scope, one)),
    );
    const unknown = words.filter((_, index) => holders[index]?.matches === 0);
    if (unknown.length === 0) return correctionsOfOne(search, await this.candidates(scope, words));
    const candidates = await this.candidates(scope, unknown);
    // Without alternatives, a word that finds nothing and has no correction makes the whole search find nothing.
    const isHopeless = query.length === 1 && unknown.some((one) => candidates.every(({ instead }) => instead !== one));
    return isHopeless ? [] : correctionsOfAll(search, candidates);
  }

  /** Whether entries that meet the conditions have each of the words. Costs about as much as searching for them. */
  async areSeen(list: ListScope, words: readonly string[]): Promise<boolean> {
    if (words.length === 0) return true;
    const { caller, conditions } = list;
    const scope = scopeOf(list);
    const vectors = scope.bindings.add(words.map((word) => lexeme(list.words.partition, word)));
    const { join, tests } = meetsAll(conditions, 'w.entry_id', scope);
    const found = [wordsOfParent('w', scope), 'w.words @@ s.vector::tsquery', ...tests];
    const text = `SELECT bool_and(EXISTS (SELECT FROM ${list.words.table} w ${join} WHERE ${found.join(' AND ')})) AS "areSeen"
      FROM unnest(${vectors}::text[]) AS s (vector)`;
    const composed = { text, values: scope.bindings.values };
    const [row] = await this.database.reads.queryComposed<{ areSeen: boolean }>(
      caller.tenantId,
      composed,
      caller.share,
    );
    return row?.areSeen ?? false;
  }

  private async candidates(scope: ListScope, words: readonly Correctable[]): Promise<CorrectionCandidate[]> {
    const near: (NearWord & { instead: Correctable; rank: number })[] = [];
    for (const instead of words) {
      const others = (await this.near(scope, instead)).slice(0, Math.floor(MAX_CANDIDATES / words.length));
      near.push(...others.map((one, rank) => ({ ...one, instead, rank })));
    }
    near.sort((a, b) => a.rank - b.rank);
    const candidates: CorrectionCandidate[] = [];
    let frequent = 0;
    for (let from = 0; from < near.length && frequent < ENOUGH_FREQUENT; from += BATCH) {
      const batch = near.slice(from, from + BATCH);
      // As the words stand: a stem of one may be in entries that do not have the word.
      const vectors = batch.map(({ word }) => lexeme(scope.words.partition, word));
      for (const [index, holders] of (await this.holders(scope, vectors)).entries()) {
        const [one, entries] = [batch[index], matching(holders)];
        if (one && entries > 0) candidates.push({ ...one, entries, isSeen: holders.matches > 0 });
        if (holders.entries >= MAX_ENTRIES) frequent++;
      }
    }
    return candidates;
  }

  /** The words that are near one of the spellings, the nearest first. */
  private async near(scope: ListScope, { word: { spellings } }: Correctable): Promise<NearWord[]> {
    const found: NearWord[] = [];
    for (const spelling of spellings) found.push(...(await this.nearSpelling(scope, spelling)));
    found.sort((a, b) => a.distance - b.distance);
    const near = new Map<string, NearWord>();
    for (const one of found) if (!near.has(one.word) && !spellings.includes(one.word)) near.set(one.word, one);
    return [...near.values()];
  }

  private async nearSpelling({ caller, type }: ListScope, spelling: string): Promise<NearWord[]> {
    const { starts, ends, middles } = sharedParts(spelling);
    const lengths = (parts: readonly SharedPart[]) => parts.map(({ length }) => length);
    const texts = (parts: readonly SharedPart[]) => parts.map(({ text }) => text);
    const parameters = {
      typeId: type.id,
      startLengths: lengths(starts),
      starts: texts(starts),
      endLengths: lengths(ends),
      ends: texts(ends),
      middleLengths: lengths(middles),
      middles: texts(middles),
    };
    const [row] = await this.database.reads.query(caller.tenantId, WORDS_BY_PARTS, parameters, caller.share);
    const found = row?.words?.split(' ') ?? [];
    const steps = nearestSliced(spelling, found);
    return found.length > FEW_WORDS ? heavyWork.run(caller.share, steps) : runAtOnce(steps);
  }

  /** Counts the entries that have each word, which is given as the text of a tsquery. */
  private async holders(list: ListScope, vectors: readonly string[]): Promise<Holders[]> {
    const { caller, conditions } = list;
    const scope = scopeOf(list);
    const tests = meetsAll(conditions, 'h.id', scope).tests.join(' AND ') || 'true';
    const entry = conditions.some(readsRow)
      ? `LEFT JOIN LATERAL (${rowById('h.id', scope)} AND h.place <= ${MAX_TESTED} OFFSET 0) e ON true`
      : '';
    const text = `SELECT c.entries, c.matches
      FROM unnest(${scope.bindings.add(vectors)}::text[]) WITH ORDINALITY AS s (vector, place)
      CROSS JOIN LATERAL (
        SELECT count(*) AS entries, count(*) FILTER (WHERE CASE WHEN h.place <= ${MAX_TESTED} THEN ${tests} END) AS matches
        FROM (
          SELECT w.id, row_number() OVER () AS place FROM (
            SELECT w.entry_id AS id FROM ${list.words.table} w WHERE ${wordsOfParent('w', scope)} AND w.words @@ s.vector::tsquery LIMIT ${MAX_ENTRIES}
          ) w
        ) h ${entry}
      ) c
      ORDER BY s.place`;
    return this.database.reads.queryComposed<Holders>(
      caller.tenantId,
      { text, values: scope.bindings.values },
      caller.share,
    );
  }
}

function scopeOf({ type, words }: ListScope): Scope {
  const bindings = new Bindings();
  return { bindings, table: entryTable(type, 'plain', words), parent: bindings.add(type.id) };
}

/** About how many entries that have a word meet the conditions. It is 0 only if none does. */
function matching({ entries, matches }: Holders): number {
  return entries <= MAX_TESTED ? matches : Math.max(0.5, (entries * matches) / MAX_TESTED);
}

/** A tsquery for the word. */
function vectorOf({ words }: ListScope, { word, asItStands }: Correctable): string {
  return wordVector(words, word, asItStands);
}
