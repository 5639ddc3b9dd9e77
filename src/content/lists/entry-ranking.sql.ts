import { Bindings, type Composed } from '../../database/statements/bindings.js';
import { NEAR, PHRASE, PHRASE_IN_TITLE, type SearchRank } from '../../search/search-rank.js';
import { meetsAll } from '../../lists/conditions/condition.sql.js';
import { ofParent, type Scope, wordsById, wordsOfParent } from '../../lists/conditions/scope.js';
import type { ListQuery } from '../../lists/engine/list-query.js';
import { fetched } from '../../lists/engine/list-statement.js';
import type { ListTable } from '../../lists/engine/list-table.js';
import { matchesSearch } from '../../search/matches-search.js';

/** Up to this number of matches, all are ranked by their positions too. Reading the words of more would take long. */
export const MAX_RANKED = 1_000;

/** If there are more matches, this many are ranked, and the others follow by age. */
const MAX_BEST = 300;

/** Builds the statements of one ranked list of entries. `$1` is the tenant and `$2` the content type. */
export class RankingStatement {
  private readonly bindings = new Bindings();
  private readonly scope: Scope;

  constructor(
    private readonly table: ListTable,
    private readonly query: ListQuery,
    private readonly rank: SearchRank,
  ) {
    this.scope = { bindings: this.bindings, table, parent: this.bindings.add(table.parent?.id ?? null) };
  }

  /**
   * Selects a page of all matches, best first, with `total`. A total of `MAX_RANKED` + 1 means that there are too many, and that the page is
   * not valid.
   */
  all({ limit, offset }: { limit: number; offset: number }): Composed {
    const words = this.rank.positions ? ', w.words' : '';
    const [from, where] = this.tested('w.entry_id');
    return this.composed(`WITH matches AS MATERIALIZED (
        SELECT w.entry_id AS id${words} FROM ${this.words} w ${from} WHERE ${wordsOfParent('w', this.scope)} AND ${this.matches('w')}${where} LIMIT ${MAX_RANKED + 1}
      ), ${this.boosted(`(SELECT count(*) FROM matches) <= ${MAX_RANKED}`)}
      SELECT ${this.version()} AS "schemaVersion", (SELECT count(*) FROM matches) AS total, p.id, ${this.table.columns.shown('e')}
      FROM (
        SELECT w.id, coalesce(b.score, 0)${this.ofPositions()} AS score FROM matches w LEFT JOIN boosted b ON b.id = w.id
        ORDER BY score DESC, id DESC LIMIT ${limit} OFFSET ${this.bindings.add(offset)}
      ) p ${fetched(this.scope)}
      ORDER BY p.score DESC, p.id DESC`);
  }

  /** Selects the best matches, best first. Only those of the page have the columns of the entry. */
  best({ limit, offset }: { limit: number; offset: number }): Composed {
    const [from, where] = this.tested('b.id');
    const after = this.bindings.add(offset);
    const words = this.wordsOfCandidates();
    // The candidates are tested from the best on, until enough of them match.
    return this.composed(`WITH ${this.boosted('true')}, best AS MATERIALIZED (
        SELECT b.id, b.score${words === '' ? '' : ', w.words'}
        FROM (SELECT id, score FROM boosted ORDER BY score DESC, id DESC OFFSET 0) b ${words} ${from}
        WHERE true${where} LIMIT ${MAX_BEST}
      ), placed AS MATERIALIZED (
        SELECT w.id, row_number() OVER (ORDER BY w.score${this.ofPositions()} DESC, w.id DESC) AS place FROM best w
      )
      SELECT ${this.version()} AS "schemaVersion", p.id, ${this.table.columns.shown('e')}
      FROM placed p LEFT JOIN LATERAL (
        SELECT ${this.table.columns.read('r', this.bindings)} FROM entries r
        WHERE ${ofParent('r', this.scope)} AND r.id = p.id AND p.place > ${after} AND p.place <= ${after} + ${limit} OFFSET 0
      ) e ON true
      ORDER BY p.place`);
  }

  /** Joins the words of the candidates `b` that match. For a single word, neither a test nor positions need them. */
  private wordsOfCandidates(): string {
    const { candidates, positions } = this.rank;
    if (candidates === undefined && !positions) return '';
    return `CROSS JOIN LATERAL (
          SELECT x.words FROM ${this.words} x
          WHERE ${wordsById('x', 'b.id', this.scope)}${candidates === undefined ? '' : ` AND ${this.matches('x')}`}
          OFFSET 0
        ) w`;
  }

  /**
   * The score of each candidate that has lexemes with weights, if `isWanted`. A lexeme that more than `MAX_RANKED` candidates have does not
   * count: it hardly tells them apart, and reading them all would take long.
   */
  private boosted(isWanted: string): string {
    const { lexemes, weights, candidates } = this.rank;
    const sought =
      candidates === undefined
        ? 'b.lexeme::tsquery'
        : `(b.lexeme::tsquery && ${this.bindings.add(candidates)}::tsquery)`;
    return `weighted AS MATERIALIZED (
        SELECT w.id, b.weight, count(*) OVER (PARTITION BY b.lexeme) AS documents
        FROM unnest(${this.bindings.add(lexemes)}::text[], ${this.bindings.add(weights)}::float8[]) AS b (lexeme, weight)
        CROSS JOIN LATERAL (
          SELECT w.entry_id AS id FROM ${this.words} w WHERE ${wordsOfParent('w', this.scope)} AND w.words @@ ${sought} LIMIT ${MAX_RANKED + 1}
        ) w WHERE ${isWanted}
      ), boosted AS MATERIALIZED (
        SELECT w.id, sum(w.weight) AS score FROM weighted w WHERE w.documents <= ${MAX_RANKED} GROUP BY w.id
      )`;
  }

  private get words(): string {
    return this.table.words?.table ?? '';
  }

  private matches(alias: string): string {
    const { search } = this.query;
    return search ? matchesSearch(search, alias, this.bindings) : 'false';
  }

  /** SQL to add to a score, from the row `w` that has the words. */
  private ofPositions(): string {
    const { positions } = this.rank;
    if (!positions) return '';
    const [phrase, phraseInTitle, near] = [positions.phrase, positions.phraseInTitle, positions.near].map(
      (query) => `${this.bindings.add(query)}::tsquery`,
    );
    return ` + CASE WHEN w.words @@ ${phraseInTitle} THEN ${PHRASE_IN_TITLE} ELSE 0 END
          + CASE WHEN w.words @@ ${phrase} THEN ${PHRASE} ELSE 0 END
          + ${NEAR} * least(1, ts_rank_cd('{1,1,1,1}', w.words, ${near}))`;
  }

  private version(): string {
    return this.table.version?.current(this.query.conditions, this.bindings) ?? 'NULL';
  }

  /** The joins and the tests of the conditions. */
  private tested(id: string): [from: string, where: string] {
    const { join, tests } = meetsAll(this.query.conditions, id, this.scope);
    return [join, tests.map((test) => ` AND ${test}`).join('')];
  }

  private composed(text: string): Composed {
    return { text, values: this.bindings.values };
  }
}
