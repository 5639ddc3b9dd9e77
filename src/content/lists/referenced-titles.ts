import { Injectable } from '@nestjs/common';
import { heavyWork, isHeavy } from '../../admission/heavy-work.js';
import { runAtOnce, type SlicedWork } from '../../admission/sliced-work.js';
import { Database } from '../../database/database.js';
import { Problem } from '../../errors/problem.js';
import { type LocaleReading, sourcesOf } from '../../fields/localized/shown-value.js';
import type { Caller } from '../../http/caller.js';
import { formatId } from '../../ids/type-id.js';
import { parseSliced } from '../../json/parse-sliced.js';
import { LARGE_BYTES } from '../../lists/large-json.js';
import { searchMatch } from '../../search/search-match.js';
import type { SearchQuery, Term } from '../../search/search-query.js';
import { searchSequence } from '../../search/search-vector.js';
import { titleMatch } from '../../search/title-match.js';
import { targetsOf } from '../content-type.entity.js';
import { type CompiledType, Schemas } from '../schemas.js';
import type { SearchedWords } from '../words/searched-words.js';
import { stemOfField } from '../words/locale-search.js';
import type { ListScope } from './entry-list.js';
import {
  FIND_TITLES,
  FIND_TITLES_IN_LOCALE,
  MAX_TITLES,
  READ_SHOWN_TITLES,
  READ_TITLES,
} from './referenced-titles.sql.js';

/** Look-ups of one search: its different words and phrases, times the content types that are referred to. */
const MAX_LOOK_UPS = 500;

/** Entries whose title must be read because the index does not decide, and the bytes of their JSON. */
const MAX_READ = { entries: 1_000, bytes: 64 * 1024 * 1024 };
/** Bytes of JSON that one statement reads; an entry with more is read alone. */
const BATCH_BYTES = 1024 * 1024;

/** A search fails if types change this many times while their titles are searched. */
const MAX_TRIES = 5;

/** A content type that is referred to and has a title. */
interface TitledType {
  type: CompiledType;
  words: SearchedWords;
  title: string;
  reading: LocaleReading | undefined;
}

interface LookUp {
  type: TitledType;
  term: Term;
}

/** An entry whose title may have the terms of some look-ups. */
interface Undecided {
  id: string;
  size: number;
  lookUps: LookUp[];
}

/** The entries whose title has a term, for each term of a search. */
export class TitleHits {
  /** Public IDs, by the term. */
  private readonly byTerm = new Map<string, string[]>();

  /** `fields` are the `filterField` of those that may refer to the entries. */
  constructor(readonly fields: readonly string[]) {}

  get isEmpty(): boolean {
    return this.byTerm.size === 0;
  }

  of(term: Term): readonly string[] {
    return this.byTerm.get(keyOf(term)) ?? [];
  }

  add(term: Term, id: string): void {
    const key = keyOf(term);
    const ids = this.byTerm.get(key);
    if (ids) ids.push(formatId('ent', id));
    else this.byTerm.set(key, [formatId('ent', id)]);
  }
}

/** Finds the titles that a search with `referenced=true` reads: those of the entries that a content type may refer to. */
@Injectable()
export class ReferencedTitles {
  constructor(
    private readonly database: Database,
    private readonly schemas: Schemas,
  ) {}

  /** Finds only what the caller can read. Throws a 400 if too many titles have words of the search. */
  async find(scope: ListScope, query: SearchQuery): Promise<TitleHits> {
    const { type, fields } = scope;
    const leaves = type.schema.ownFields.flatMap(({ name }) => fields.fieldAt(name)?.leafFields ?? []);
    const named = leaves.filter(({ key }) => targetsOf(type.targets, key).length > 0);
    const hits = new TitleHits([...new Set(named.map(({ filterField }) => filterField))]);
    const terms = [...new Map(query.flat().map((term) => [keyOf(term), term])).values()];
    if (named.length === 0 || terms.length === 0) return hits;
    const typeIds = [...new Set(named.flatMap(({ key }) => targetsOf(type.targets, key)))];
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      const types = await this.typesOf(scope, typeIds, tries > 1);
      if (await this.collectHits(scope.caller, types, terms, hits)) return hits;
    }
    throw Problem.unavailable('The content types referred to changed repeatedly while they were searched.');
  }

  /** Returns the types whose titles the caller can read. */
  private async typesOf(
    { caller, wordsOf, reading }: ListScope,
    ids: readonly string[],
    areFresh: boolean,
  ): Promise<TitledType[]> {
    const types: TitledType[] = [];
    for (const id of ids) {
      if (caller.types?.has(id) === false) continue;
      const type = await this.schemas.find(caller, id, areFresh);
      const title = type?.schema.title;
      if (title && (type.isPublic || !caller.requireKey))
        types.push({ type, words: wordsOf(type), title: title.name, reading });
    }
    return types;
  }

  /** Returns false if a type is no longer current. */
  private async collectHits(
    caller: Caller,
    types: readonly TitledType[],
    terms: readonly Term[],
    hits: TitleHits,
  ): Promise<boolean> {
    const lookUps = types.flatMap((type) => terms.map((term): LookUp => ({ type, term })));
    if (lookUps.length > MAX_LOOK_UPS) throw tooBroad('search has too many words');
    if (lookUps.length === 0) return true;
    const { tenantId, share, publishedOnly } = caller;
    const matches = lookUps.map(({ type: { words }, term }) => titleMatch(words, term));
    const sought = {
      types: lookUps.map(({ type: { type } }) => type.id),
      versions: lookUps.map(({ type: { type } }) => String(type.version)),
      found: matches.map(({ found }) => found),
      certain: matches.map(({ certain }) => certain),
      withDrafts: !publishedOnly,
    };
    const views = lookUps.map(({ type: { words } }) => words.view ?? '');
    const { reads } = this.database;
    const rows = await (views.some((view) => view !== '')
      ? reads.query(tenantId, FIND_TITLES_IN_LOCALE, { ...sought, views }, share)
      : reads.query(tenantId, FIND_TITLES, sought, share));
    if (!rows[0]?.isCurrent) return false;
    if (rows.length > MAX_TITLES) throw tooBroad(`search has words of more than ${MAX_TITLES} titles`);
    const undecided = new Map<string, Undecided>();
    for (const { place, id, isCertain, size } of rows) {
      const lookUp = lookUps[(place ?? 0) - 1];
      if (!lookUp || id === null) continue;
      if (isCertain) {
        hits.add(lookUp.term, id);
        continue;
      }
      const entry = undecided.get(id) ?? { id, size: size ?? LARGE_BYTES, lookUps: [] };
      undecided.set(id, entry);
      entry.lookUps.push(lookUp);
    }
    await this.decide(caller, [...undecided.values()], hits);
    return true;
  }

  private async titles(
    { tenantId, share, publishedOnly }: Caller,
    { type, title, reading }: TitledType,
    ids: readonly string[],
  ): Promise<{ id: string; title: string | null; source: string }[]> {
    const { reads } = this.database;
    const of = { typeId: type.id, ids, withDrafts: !publishedOnly };
    if (reading && type.schema.localized.has(title)) {
      return reads.query(tenantId, READ_SHOWN_TITLES, { ...of, titles: sourcesOf(title, reading) }, share);
    }
    const rows = await reads.query(tenantId, READ_TITLES, { ...of, title }, share);
    return rows.map((row) => ({ ...row, source: title }));
  }

  /** Reads the titles of long texts, of which the index does not record all words and positions. */
  private async decide(caller: Caller, undecided: readonly Undecided[], hits: TitleHits): Promise<void> {
    const bytes = undecided.reduce((sum, { size }) => sum + size, 0);
    if (undecided.length > MAX_READ.entries || bytes > MAX_READ.bytes) {
      throw tooBroad('search has words of the titles of too many long texts');
    }
    const { share } = caller;
    for (const { type, entries } of batchesOf(undecided)) {
      const ids = entries.map(({ id }) => id);
      const rows = await this.titles(caller, type, ids);
      const found = new Map(rows.map((row) => [row.id, row]));
      for (const { id, lookUps } of entries) {
        const row = found.get(id);
        if (!row || row.title === null) continue;
        const steps = sequenceOf(type, row.source, row.title);
        const sequence = isHeavy(row.title.length) ? await heavyWork.run(share, steps) : runAtOnce(steps);
        for (const { term } of lookUps) if (hasTerm(sequence, type, term)) hits.add(term, id);
      }
    }
  }
}

/** The words of a title, given as JSON, in order. `source` is its stored name. */
function* sequenceOf(
  { type: { schema, stem, localeSearch }, words }: TitledType,
  source: string,
  json: string,
): SlicedWork<string> {
  const field = schema.field(source);
  if (!field) return '';
  const lines = yield* schema.searchLinesOf(field, { [source]: yield* parseSliced(json) });
  const isInView = localeSearch && words.view !== undefined;
  return yield* searchSequence(lines, isInView ? stemOfField(localeSearch, schema, field) : stem);
}

function hasTerm(sequence: string, { words }: TitledType, term: Term): boolean {
  const [[sought] = []] = searchMatch(words.partition, [[term]], words.stem).sequence;
  return sought?.texts.some((text) => sequence.includes(text)) ?? false;
}

/** Groups entries of one type that one statement reads. */
function batchesOf(undecided: readonly Undecided[]): { type: TitledType; entries: Undecided[] }[] {
  const batches: { type: TitledType; entries: Undecided[]; bytes: number }[] = [];
  for (const entry of undecided) {
    const [{ type } = { type: undefined }] = entry.lookUps;
    const last = batches.at(-1);
    if (last && last.type === type && last.bytes + entry.size <= BATCH_BYTES) {
      last.entries.push(entry);
      last.bytes += entry.size;
    } else if (type) {
      batches.push({ type, entries: [entry], bytes: entry.size });
    }
  }
  return batches;
}

/** The same for terms that find the same titles. */
function keyOf({ quoted, words }: Term): string {
  return JSON.stringify([quoted, words]);
}

function tooBroad(reason: string): Problem {
  const message = `${reason}, which is too much with referenced=true. Use rarer or fewer words, or leave out referenced.`;
  return Problem.parameter('search', message);
}
