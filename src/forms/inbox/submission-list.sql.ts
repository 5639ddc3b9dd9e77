import { Bindings, type Composed } from '../../database/bindings.js';
import { type KnownTotal, selectTotal } from '../../lists/known-totals.js';
import { unlessLarge } from '../../lists/large-json.js';
import type { Place } from '../../lists/page.js';
import type { ValueCondition } from '../../lists/filters/value-conditions.js';
import { matchesSearch } from '../../search/matches-search.js';
import type { SearchMatch } from '../../search/search-match.js';
import { fullColumns } from './submission-full.js';
import type { Conditions, IdCondition } from './submission-conditions.js';
import type { State } from './inbox.dto.js';
import {
  type Driver,
  isNarrow,
  isOneKey,
  leastOf,
  MAX_COLLECTED,
  type Part,
  type Strategy,
} from './submission-strategy.js';
import type { SubmissionSort } from './submission-sort.js';
import { STATE } from '../submissions/submission-counts.sql.js';
import { meetsValue, type Scope, valueRows, sectionRows, type Verdict } from './submission-values.sql.js';

/** A list request, resolved against the form. */
export interface ListQuery extends Conditions {
  formId: string;
  verdicts: readonly Verdict[];
  state?: State;
  search?: SearchMatch;
  sort: SubmissionSort;
}

/** The part of a list that a page takes. `after` holds the sort key, if the list has one, and the ID of the row before it. */
export interface Cut {
  limit: number;
  offset?: number;
  after?: Place;
}

/**
 * A row of a page, with the list's `total` if it was requested, and the state in which it was counted if that took long. A page without
 * submissions is one row that contains nothing else.
 */
export interface PageRow {
  total: number | null;
  totalState: number | null;
  sortKey: string | null;
  id: string | null;
  fields: string | null;
  createdAt: string;
}

/** Where the IDs come from, and what must still be tested. */
interface Source {
  from: string;
  tests: string[];
}

const OF_VERDICT: Record<Verdict, string> = { ok: 'verdict IS NULL', spam: 'verdict IS NOT NULL' };
const COUNTER: Record<Verdict, string> = { ok: 'submissions', spam: 'spam' };

/** Builds the statements of one list. `$1` is the tenant and `$2` the form. Every value is bound, including the names of fields. */
export class ListStatement {
  private readonly bindings = new Bindings();
  private readonly scope: Scope;

  constructor(private readonly query: ListQuery) {
    this.bindings.add(query.formId);
    this.scope = { bindings: this.bindings, verdicts: query.verdicts };
  }

  /** Selects a page as `PageRow`s, in the full view with all columns. */
  page(
    strategy: Strategy,
    part: Part,
    cut: Cut,
    { withTotal, isFull, known }: { withTotal: boolean; isFull: boolean; known?: KnownTotal },
  ): Composed {
    const { descending } = this.query.sort;
    const direction = descending ? 'DESC' : 'ASC';
    const source = this.source(strategy, part);
    const key = this.sortKey(strategy, part, source);
    const where = [...source.tests, ...this.after(key, cut.after)];
    const order = [...(key === undefined ? [] : [`sort_key ${direction} NULLS LAST`]), `id ${direction}`].join(', ');
    const rows = `SELECT c.id, ${key ?? 'NULL::text'} AS sort_key FROM ${source.from}${whereOf(where)}`;
    const limit = `LIMIT ${cut.limit} OFFSET ${this.bindings.add(cut.offset ?? 0)}`;
    const isCollected = withTotal && strategy !== 'walk';
    const found = isCollected ? `WITH found AS MATERIALIZED (${rows}) ` : '';
    const total = isCollected
      ? 'SELECT count(*) AS total, NULL::bigint AS state FROM found'
      : withTotal
        ? this.total(known)
        : 'SELECT NULL::bigint AS total, NULL::bigint AS state';
    const ordered = walkOrder(key, direction);
    const page = isCollected
      ? `SELECT id, sort_key FROM found ORDER BY ${order} ${limit}`
      : `${rows} ORDER BY ${strategy === 'walk' ? ordered : order} ${limit}`;
    return this
      .composed(`${found}SELECT t.total, t.state AS "totalState", p.sort_key AS "sortKey", s.id, ${unlessLarge('s.fields', 's.size')} AS fields,
        s.created_at AS "createdAt"${isFull ? `, ${fullColumns('s', '$1')}` : ''}
      FROM (${total} OFFSET 0) t LEFT JOIN (
        (${page}) p CROSS JOIN LATERAL (SELECT * FROM submissions WHERE ${OF_FORM} AND id = p.id OFFSET 0) s
      ) ON true
      ORDER BY ${key === undefined ? '' : `p.sort_key ${direction} NULLS LAST, `}p.id ${direction}`);
  }

  /** Counts the submissions in a part of a walk. */
  count(part: Part): Composed {
    return this.composed(this.countOf(this.source('walk', part)));
  }

  /** Counts the submissions that each driver leaves as `n0`, `n1` …, up to `MAX_COLLECTED` + 1. */
  sizes(drivers: readonly Driver[]): Composed {
    const counts = drivers.map((driver, index) => {
      const { from } = this.driven(driver, true);
      return `(SELECT count(*) FROM (SELECT FROM ${from} LIMIT ${MAX_COLLECTED + 1}) x) AS n${index}`;
    });
    return this.composed(`SELECT ${counts.join(', ')} WHERE $1::text IS NOT NULL AND $2::uuid IS NOT NULL`);
  }

  private composed(text: string): Composed {
    return { text, values: this.bindings.values };
  }

  /** Counts what a walk matches; undefined if counters know it. */
  matches(): Composed | undefined {
    return this.isWholeForm ? undefined : this.composed(this.countOfMatches());
  }

  /** SQL of a row with the total of a walk, and the state in which it is true if it can be kept. */
  private total(known: KnownTotal | undefined): string {
    if (this.isWholeForm) return `SELECT (${this.countOfForm()}) AS total, NULL::bigint AS state`;
    return selectTotal(this.bindings, `(${this.countOfMatches()})`, STATE, known);
  }

  private get isWholeForm(): boolean {
    const { values, search } = this.query;
    return values.length === 0 && search === undefined && !isNarrow(this.query);
  }

  private countOfForm(): string {
    const counter = this.query.verdicts.map((verdict) => COUNTER[verdict]).join(' + ');
    return `SELECT coalesce(sum(${counter}), 0)::bigint FROM submission_counts WHERE ${OF_FORM}`;
  }

  private countOfMatches(): string {
    const { values, search, verdicts } = this.query;
    const isNarrowed = isNarrow(this.query);
    const all = this.countOfForm();
    const [only, ...others] = values;
    if (this.query.state === 'new' && this.query.ids.length === 0 && search === undefined && only === undefined) {
      const tests = verdicts.length > 1 ? [] : verdicts.map((verdict) => ` AND ${OF_VERDICT[verdict]}`);
      return `SELECT (${all}) - (SELECT count(*) FROM submissions WHERE ${OF_FORM}${tests.join('')} AND state IS NOT NULL)`;
    }
    // What does not match is counted by the index.
    if (!isNarrowed && search === undefined && only?.negated && others.length === 0 && only.kind !== 'present') {
      return `SELECT (${all}) - (SELECT count(*) FROM (${valueRows({ ...only, negated: false }, this.scope, 'distinct')}) c)`;
    }
    return this.countOf(this.collected(leastOf(this.query)));
  }

  private countOf({ from, tests }: Source): string {
    return `SELECT count(*) FROM ${from}${whereOf(tests)}`;
  }

  private source(strategy: Strategy, part: Part): Source {
    if (strategy !== 'walk') return this.collected(strategy.collect);
    const { sort, values } = this.query;
    const { field } = sort;
    if (!field) {
      const ordered = values.find(isOneKey);
      return this.collected(ordered ? { by: 'value', condition: ordered } : { by: 'rows' });
    }
    // Conditions on the sort field itself bound the walk.
    const own = part === 'valued' && !field.multiple ? values.filter((one) => one.field === field && !one.negated) : [];
    const direction = sort.descending ? 'DESC' : 'ASC';
    const order = `v.sort_key ${direction}, v.submission_id ${direction}`;
    const from = `(${sectionRows(field, part, own, this.scope, { order })}) c`;
    return { from, tests: [...this.valueTests(values.filter((one) => !own.includes(one))), ...this.rowTests(false)] };
  }

  private collected(driver: Driver): Source {
    const { values } = this.query;
    const { from } = this.driven(driver);
    if (driver.by === 'rows') return { from, tests: [...this.valueTests(values), ...this.searchTest()] };
    if (driver.by === 'search') return { from, tests: [...this.valueTests(values), ...this.rowTests(true)] };
    const others = values.filter((one) => one !== driver.condition);
    return { from, tests: [...this.valueTests(others), ...this.rowTests(false)] };
  }

  /** The rows `c` of a driver. Each submission occurs once, unless `often`. */
  private driven(driver: Driver, often = false): { from: string } {
    if (driver.by === 'rows') return { from: `(${this.rowSet()}) c` };
    if (driver.by === 'search') return { from: `(${this.foundWords()}) c` };
    return { from: `(${valueRows(driver.condition, this.scope, often ? 'often' : 'distinct')}) c` };
  }

  /** SQL that selects the IDs of the submissions with the verdicts, the state and the IDs of the list. An index has them in order. */
  private rowSet(): string {
    const { verdicts, state, ids } = this.query;
    // The primary key has both verdicts.
    if (verdicts.length > 1 && state === undefined) {
      const tests = ['s.tenant_id = $1 AND s.form_id = $2', ...this.idTests(ids, 's.id')];
      return `SELECT s.id FROM submissions s WHERE ${tests.join(' AND ')}`;
    }
    const sets = verdicts.map((verdict) => {
      const tests = [`s.${OF_VERDICT[verdict]}`, ...stateTests('s', state), ...this.idTests(ids, 's.id')];
      return `SELECT s.id FROM submissions s WHERE s.tenant_id = $1 AND s.form_id = $2 AND ${tests.join(' AND ')}`;
    });
    return sets.join(' UNION ALL ');
  }

  /** Only the index of words is used, whose lexemes include the form. These comparisons exclude the other indexes. */
  private foundWords(): string {
    const { search } = this.query;
    const matches = search ? matchesSearch(search, 'w', this.bindings) : 'false';
    return `SELECT w.submission_id AS id FROM submission_words w
      WHERE w.tenant_id = $1 COLLATE "POSIX" AND w.form_id IS NOT DISTINCT FROM $2 AND ${matches}`;
  }

  private valueTests(conditions: readonly ValueCondition[]): string[] {
    return conditions.map((condition) => meetsValue(condition, 'c.id', this.scope));
  }

  /** What a driver other than `rows` leaves to test besides values. The index by field knows the verdict. */
  private rowTests(isSearch: boolean): string[] {
    const { state, ids, verdicts } = this.query;
    const [verdict, ...others] = verdicts;
    const ofVerdict = isSearch && verdict && others.length === 0 ? [`r.${OF_VERDICT[verdict]}`] : [];
    const ofRow = [...ofVerdict, ...stateTests('r', state)];
    const row = `(SELECT true FROM submissions r WHERE r.tenant_id = $1 AND r.form_id = $2 AND r.id = c.id AND ${ofRow.join(' AND ')})`;
    return [...this.idTests(ids, 'c.id'), ...(ofRow.length > 0 ? [row] : []), ...(isSearch ? [] : this.searchTest())];
  }

  private searchTest(): string[] {
    const { search } = this.query;
    if (search === undefined) return [];
    return [
      `(SELECT ${matchesSearch(search, 'w', this.bindings)} FROM submission_words w
        WHERE w.tenant_id = $1 AND w.form_id = $2 AND w.submission_id = c.id) IS TRUE`,
    ];
  }

  private idTests(conditions: readonly IdCondition[], id: string): string[] {
    return conditions.map(({ ranges, negated }) => {
      const tests = ranges.map(({ from, below }) => {
        const bounds = [
          ...(from === undefined ? [] : [`${id} >= ${this.bindings.add(from)}::uuid`]),
          ...(below === undefined ? [] : [`${id} < ${this.bindings.add(below)}::uuid`]),
        ];
        return bounds.length === 0 ? 'true' : bounds.join(' AND ');
      });
      return `${negated ? 'NOT ' : ''}(${tests.map((test) => (tests.length > 1 ? `(${test})` : test)).join(' OR ')})`;
    });
  }

  /** The SQL of the sort key; undefined in a list by ID. A walk has the key of its index. */
  private sortKey(strategy: Strategy, part: Part, source: Source): string | undefined {
    const { field } = this.query.sort;
    if (!field) return undefined;
    if (strategy === 'walk') return part === 'valued' ? 'c.sort_key' : undefined;
    source.from += ` LEFT JOIN LATERAL (${sectionRows(field, 'valued', [], this.scope, { id: 'c.id' })} LIMIT 1) k ON true`;
    return 'k.sort_key';
  }

  /** Conditions for the submissions after a place. */
  private after(key: string | undefined, after: Place | undefined): string[] {
    if (!after) return [];
    const beyond = this.query.sort.descending ? '<' : '>';
    const id = `${this.bindings.add(after.at(-1) ?? null)}::uuid`;
    if (key === undefined) return [`c.id ${beyond} ${id}`];
    const place = after.length > 1 ? (after[0] ?? null) : null;
    // Submissions without a value come last.
    if (place === null) return [`${key} IS NULL AND c.id ${beyond} ${id}`];
    const bound = this.bindings.add(place);
    if (key === 'c.sort_key') return [`(c.sort_key, c.id) ${beyond} (${bound}, ${id})`];
    return [`(${key} IS NULL OR (${key}, c.id) ${beyond} (${bound}, ${id}))`];
  }
}

const OF_FORM = 'tenant_id = $1 AND form_id = $2';

/** The order of a walk, as its index has it. */
function walkOrder(key: string | undefined, direction: string): string {
  return key === undefined ? `c.id ${direction}` : `${key} ${direction}, c.id ${direction}`;
}

/** Literals, because each state has a part of an index. */
function stateTests(alias: string, state: State | undefined): string[] {
  if (state === undefined) return [];
  return [state === 'new' ? `${alias}.state IS NULL` : `${alias}.state = '${state === 'read' ? 'read' : 'done'}'`];
}

function whereOf(tests: readonly string[]): string {
  return tests.length > 0 ? ` WHERE ${tests.join(' AND ')}` : '';
}
