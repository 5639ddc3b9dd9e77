import { fieldsOfVersion } from './live-fields.js';
import { Bindings, type Composed } from '../../database/bindings.js';
import type { CompiledType } from '../schemas.js';
import type { SearchMatch } from '../../search/search-match.js';
import { type KnownTotal, selectTotal } from '../../lists/known-totals.js';
import { unlessLarge } from '../../lists/large-json.js';
import type { Place } from '../../lists/page.js';
import type { Shape } from '../reading/shape.js';
import { type Collectable, isCollectable, isExact, isIndexed, isOneKey, leastOf } from './entry-candidates.js';
import {
  candidateIds,
  COLUMN_TYPES,
  indexRows,
  isBroad,
  looksAtEntry,
  meets,
  scopeOfList,
} from './entry-conditions.sql.js';
import { allOf, type Condition, negate, NULLABLE, type Target, throughConditions } from './entry-conditions.js';
import { counterOfType } from './entry-counts.sql.js';
import { matchesSearch } from '../../search/matches-search.js';
import type { SortKey } from './entry-sort.js';

/**
 * A list request, resolved against the schema. What matches must depend only on the entries of the type and of those that its conditions
 * look at (see `KnownTotals`).
 */
export interface ListQuery {
  conditions: readonly Condition[];
  search?: SearchMatch;
  sort: readonly SortKey[];
  /** Which columns the page shows. */
  shape: Shape;
}

/**
 * How a page is found. `walk` follows the index that has the order (of the sort field, of a filtered value, or the primary key) and tests
 * the other conditions until the page is full. `collect` gathers the few entries that one condition leaves, then tests and sorts them. The
 * statement fixes the choice, because the planner cannot know how many entries of one tenant's type have a value.
 */
export type Strategy = 'walk' | { collect: Collectable | 'search' };

/** A part of a walk by a field: the entries with a value, or those without, which come last. Collected entries are sorted as one part. */
export type Part = 'valued' | 'valueless';

export interface Cut {
  limit: number;
  offset?: number;
  /** The sort keys and the ID of the last entry of the previous page. */
  after?: Place;
}

/** Collects at most this many entries, and walks if there are more. With a million entries, both take only some milliseconds. */
export const MAX_COLLECTED = 5_000;

/** The type of a list, in the version that the list is read with. */
export type ListedType = Pick<CompiledType, 'id' | 'version'>;

/** The columns of an entry that a page needs, besides the ID. `version` is the placeholder of the type's version. */
export function neededColumns(row: string, version: string, shape: Shape): string {
  const others = [
    'size',
    'status',
    'version',
    'created_at',
    'updated_at',
    ...(shape === 'full' ? ['published_at'] : []),
  ];
  return [`${fieldsOfVersion(row, version)} AS fields`, ...others.map((column) => `${row}.${column}`)].join(', ');
}

/** The columns that a page returns, of a row `row` that has the needed ones. `fields` is null if it is large. */
export function shownColumns(row: string, shape: Shape): string {
  return `${unlessLarge(`${row}.fields`, `${row}.size`)} AS fields, ${row}.status, ${row}.version,
    ${row}.created_at AS "createdAt", ${row}.updated_at AS "updatedAt"${shape === 'full' ? `, ${row}.published_at AS "publishedAt"` : ''}`;
}

/** Up to this offset, the skipped entries are read with all their columns. */
const NEAR = 200;

/** Joins the entries of a page `p` of IDs. `OFFSET 0` keeps the subquery separate, so that each entry is looked up by its key. */
export function fetched(version: string, shape: Shape): string {
  return `CROSS JOIN LATERAL (
        SELECT ${neededColumns('entries', version, shape)} FROM entries WHERE tenant_id = $1 AND content_type_id = $2 AND id = p.id OFFSET 0
      ) e`;
}

/** An expression of the order. If `nullable`, missing values sort last in both directions. If `sql` is undefined, no entry has a value. */
interface OrderItem {
  sql?: string;
  type: string;
  descending: boolean;
  nullable: boolean;
}

/** The rows that the IDs come from, and the conditions that must still be tested. */
interface Source {
  from: string;
  id: string;
  /** Whether the row of `entries` is joined as `e`. */
  hasEntry: boolean;
  where: string[];
  conditions: readonly Condition[];
  search?: SearchMatch;
}

/** Builds the statements of one list. `$1` is the tenant and `$2` the content type. Every value is bound, including the names of fields. */
export class ListStatement {
  private readonly bindings = new Bindings();
  private readonly scope = scopeOfList(this.bindings);

  constructor(
    private readonly type: ListedType,
    private readonly query: ListQuery,
  ) {
    this.bindings.add(type.id);
  }

  /**
   * Selects a page: the columns of each entry, the sort keys `k0…` for a cursor, the version of the type and, if requested, the total. A
   * walk uses the known total if it is still true.
   */
  page(strategy: Strategy, part: Part, cut: Cut, withTotal: boolean, known?: KnownTotal): Composed {
    const source = this.source(strategy, part);
    const order = this.order(strategy, part, source);
    const { shape } = this.query;
    const where = this.where(source);
    const idDescending = this.query.sort.at(-1)?.descending ?? true;
    if (cut.after) where.push(...this.after(order, cut.after, { sql: source.id, descending: idDescending }));
    const keys = order.map(({ sql = 'NULL', type }, index) => `(${sql})::${type} AS k${index}`);
    const columns = [`${source.id} AS id`, ...keys];
    const rows = `FROM ${source.from} WHERE ${where.join(' AND ')}`;
    const last = order.map(({ descending }, index) => `p.k${index} ${direction(descending)} NULLS LAST, `).join('');
    const ordered = `${last}p.id ${direction(idDescending)}`;
    const version = this.bindings.add(this.type.version);
    const limit = `LIMIT ${cut.limit}${cut.offset ? ` OFFSET ${this.bindings.add(cut.offset)}` : ''}`;
    const shown = (row: string, total: readonly string[]) =>
      [
        `${typeVersion(this.query.conditions, this.bindings)} AS "typeVersion"`,
        ...total,
        'p.id',
        shownColumns(row, shape),
        ...order.map((_, index) => `p.k${index}::text`),
      ].join(', ');
    if (withTotal && strategy !== 'walk') {
      // Collect once, then count and sort.
      return this.composed(`WITH found AS MATERIALIZED (SELECT ${columns.join(', ')} ${rows})
        SELECT ${shown('e', ['(SELECT count(*) FROM found) AS total'])}
        FROM (SELECT * FROM found p ORDER BY ${ordered} ${limit}) p ${fetched(version, shape)}
        ORDER BY ${ordered}`);
    }
    const atHand = source.hasEntry && (cut.offset ?? 0) <= NEAR;
    if (atHand) columns.push(neededColumns('e', version, shape));
    const inner = [
      ...order.filter(({ sql }) => sql !== undefined).map(orderBy),
      `${source.id} ${direction(idDescending)}`,
    ];
    const total = withTotal ? this.total(strategy, known) : { cte: '', columns: ['NULL AS total'] };
    return this.composed(`${total.cte}SELECT ${shown(atHand ? 'p' : 'e', total.columns)}
      FROM (SELECT ${columns.join(', ')} ${rows} ORDER BY ${inner.join(', ')} ${limit}) p ${atHand ? '' : fetched(version, shape)}
      ORDER BY ${ordered}`);
  }

  /**
   * Selects what an empty page does not contain: the version of the type (null if it does not exist), the total, and the number of all
   * entries.
   */
  meta(strategy: Strategy, known?: KnownTotal): Composed {
    const { cte, columns } = this.total(strategy, known);
    return this.composed(
      `${cte}SELECT ${typeVersion(this.query.conditions, this.bindings)} AS "typeVersion", ${columns.join(', ')}, ${counterOfType('drafts + published')} AS entries`,
    );
  }

  /** Counts the matches; undefined if the counters have their number. */
  matches(strategy: Strategy): Composed | undefined {
    return this.counters() === undefined ? this.composed(this.countOfMatches(strategy)) : undefined;
  }

  /** Counts the entries in a part of a walk. */
  count(part: Part): Composed {
    return this.composed(this.countOf(this.source('walk', part)));
  }

  /** Counts the entries that each condition leaves as `n0`, `n1` …, up to `MAX_COLLECTED` + 1. */
  sizes(among: readonly (Condition | 'search')[]): Composed {
    const counts = among.map((one, index) => {
      // Entries that refer several times are counted several times, so that not all must be read.
      const often = one !== 'search' && (one.kind === 'refers' || one.kind === 'through');
      const rows = one === 'search' ? this.found() : `SELECT FROM (${candidateIds(one, this.scope, often)}) c`;
      const count = `(SELECT count(*) FROM (${rows} LIMIT ${MAX_COLLECTED + 1}) x)`;
      if (one === 'search' || one.kind !== 'through') return `${count} AS n${index}`;
      // Few referrers may have been found because not all entries referred to were read.
      return `(SELECT CASE WHEN c.size <= ${MAX_COLLECTED} AND ${isBroad(one, this.scope)} THEN ${MAX_COLLECTED + 1} ELSE c.size END
        FROM (SELECT ${count} AS size OFFSET 0) c) AS n${index}`;
    });
    return this.composed(`SELECT ${counts.join(', ')} WHERE $1::text IS NOT NULL AND $2::uuid IS NOT NULL`);
  }

  /** SQL for the rows that match the search. */
  private found(): string {
    const source = this.collected('search');
    return `SELECT FROM ${source.from} WHERE ${source.where.join(' AND ')}`;
  }

  private composed(text: string): Composed {
    return { text, values: this.bindings.values };
  }

  /** The columns with the total and, if it was counted, the state in which it is true; and the expression that they read. */
  private total(strategy: Strategy, known?: KnownTotal): { cte: string; columns: string[] } {
    const counters = this.counters();
    if (counters !== undefined) return { cte: '', columns: [`${counterOfType(counters)} AS total`] };
    const count = `(${this.countOfMatches(strategy)})`;
    return {
      cte: `WITH counted AS MATERIALIZED (${selectTotal(this.bindings, count, this.state(), known)}) `,
      columns: ['(SELECT total FROM counted) AS total', '(SELECT state FROM counted) AS state'],
    };
  }

  private state(): string {
    const others = targetsOf(this.query.conditions).map(({ typeId }) => typeId);
    return stateOfEntries(others.length === 0 ? '$2' : `ANY ($2::uuid || ${this.bindings.add(others)}::uuid[])`);
  }

  /** The columns of the counters that add up to the total: if there is no condition, or only one on the status. */
  private counters(): string | undefined {
    const { conditions, search } = this.query;
    const [only] = conditions;
    if (search !== undefined || conditions.length > 1) return undefined;
    if (!only) return 'drafts + published';
    if (only.kind !== 'column' || only.column !== 'status' || only.operator !== '=') return undefined;
    return only.value === 'draft' ? 'drafts' : 'published';
  }

  private countOfMatches(strategy: Strategy): string {
    if (strategy !== 'walk') return this.countOf(this.collected(strategy.collect));
    const { conditions, search } = this.query;
    const collectable = conditions.filter(isCollectable);
    if (collectable.length > 0) {
      const least = leastOf(collectable);
      return this.unlessBroad(least, this.countOf(this.collected(least)));
    }
    if (search !== undefined) return this.countOf(this.collected('search'));
    const opposite = negate(allOf(conditions));
    if (!isCollectable(opposite)) return this.countOf(this.all());
    const excluded = this.countOf(this.excluded(opposite));
    return this.unlessBroad(opposite, `SELECT ${counterOfType('drafts + published')} - (${excluded})`);
  }

  /** The count of the matches, or `collected`, which is the same but reads all entries that the condition refers to. */
  private unlessBroad(condition: Condition, collected: string): string {
    const broad = throughConditions(condition).map((one) => isBroad(one, this.scope));
    if (broad.length === 0) return collected;
    const tested = this.countOf(this.query.search === undefined ? this.all() : this.collected('search'));
    return `SELECT CASE WHEN ${broad.join(' OR ')} THEN (${tested}) ELSE (${collected}) END`;
  }

  /** The entries that do not match, which an index finds. */
  private excluded(opposite: Collectable): Source {
    const from = `(${candidateIds(opposite, this.scope)}) c`;
    const tests = isExact(opposite) ? [] : [opposite];
    return this.withEntry({ from, id: 'c.id', hasEntry: false, where: ['true'], conditions: tests });
  }

  private countOf(source: Source): string {
    return `SELECT count(*) FROM ${source.from} WHERE ${this.where(source).join(' AND ')}`;
  }

  private source(strategy: Strategy, part: Part): Source {
    if (strategy !== 'walk') return this.collected(strategy.collect);
    const { conditions, sort, search } = this.query;
    const [first] = sort;
    if (first?.by !== 'field') {
      const driver = conditions.find(isOneKey);
      return driver && isById(first) ? this.collected(driver) : this.all();
    }
    const { sortField } = first.field;
    if (part === 'valueless') {
      const source = this.all();
      source.where.push(
        `(SELECT true FROM entry_values v WHERE v.tenant_id = $1 AND v.content_type_id = $2 AND v.entry_id = ${source.id}
          AND v.field = ${this.bindings.add(sortField)} LIMIT 1) IS NULL`,
      );
      return source;
    }
    // Conditions on the sort field itself bound the walk.
    const own = conditions.filter(isIndexed).filter(({ field }) => field === first.field && !field.multiple);
    const bounds = own.map((one) => indexRows(one, 's', this.scope));
    const where = [
      's.tenant_id = $1 AND s.content_type_id = $2',
      `s.field = ${this.bindings.add(sortField)}`,
      ...bounds,
    ];
    return this.withEntry({
      from: 'entry_values s',
      id: 's.entry_id',
      hasEntry: false,
      where,
      conditions: conditions.filter((one) => !own.some((bound) => bound === one)),
      search,
    });
  }

  private all(): Source {
    const { conditions, search } = this.query;
    const where = ['e.tenant_id = $1 AND e.content_type_id = $2'];
    return { from: 'entries e', id: 'e.id', hasEntry: true, where, conditions, search };
  }

  private collected(by: Collectable | 'search'): Source {
    const { conditions, search } = this.query;
    if (by === 'search') {
      // Use only the index of words, whose lexemes include the type. These comparisons exclude the other indexes.
      const where = [
        'w.tenant_id = $1 COLLATE "POSIX" AND w.content_type_id IS NOT DISTINCT FROM $2',
        search ? matchesSearch(search, 'w', this.bindings) : 'false',
      ];
      return this.withEntry({ from: 'entry_words w', id: 'w.entry_id', hasEntry: false, where, conditions });
    }
    const others = isExact(by) ? conditions.filter((one) => one !== by) : conditions;
    if (isOneKey(by)) {
      const where = ['s.tenant_id = $1 AND s.content_type_id = $2', indexRows(by, 's', this.scope)];
      return this.withEntry({
        from: 'entry_values s',
        id: 's.entry_id',
        hasEntry: false,
        where,
        conditions: others,
        search,
      });
    }
    const from = `(${candidateIds(by, this.scope)}) c`;
    return this.withEntry({ from, id: 'c.id', hasEntry: false, where: ['true'], conditions: others, search });
  }

  /** Joins the entry's row if a condition reads it. */
  private withEntry(source: Source): Source {
    return source.conditions.some(looksAtEntry) ? joinEntry(source) : source;
  }

  private where(source: Source): string[] {
    const tests = source.conditions.map((condition) => meets(condition, source.id, this.scope));
    if (source.search !== undefined) {
      tests.push(`(SELECT ${matchesSearch(source.search, 'w', this.bindings)} FROM entry_words w
        WHERE w.tenant_id = $1 AND w.content_type_id = $2 AND w.entry_id = ${source.id})`);
    }
    return [...source.where, ...tests];
  }

  /** The sort expressions before the ID, which is always the last key. Joins the rows that they read to the source. */
  private order(strategy: Strategy, part: Part, source: Source): OrderItem[] {
    return keysBeforeId(this.query.sort).map((key, index): OrderItem => {
      const { descending } = key;
      if (key.by === 'column') {
        joinEntry(source);
        return {
          sql: `e.${key.column}`,
          type: COLUMN_TYPES[key.column],
          descending,
          nullable: NULLABLE.has(key.column),
        };
      }
      if (strategy === 'walk' && index === 0) {
        if (part === 'valued') return { sql: 's.sort_key', type: 'text', descending, nullable: false };
        return { type: 'text', descending, nullable: true };
      }
      const alias = `o${index}`;
      source.from += ` LEFT JOIN LATERAL (
          SELECT v.sort_key FROM entry_values v WHERE v.tenant_id = $1 AND v.content_type_id = $2 AND v.entry_id = ${source.id}
            AND v.field = ${this.bindings.add(key.field.sortField)} LIMIT 1
        ) ${alias} ON true`;
      return { sql: `${alias}.sort_key`, type: 'text', descending, nullable: true };
    });
  }

  /** Conditions for the entries after a place. */
  private after(order: readonly OrderItem[], keys: Place, id: { sql: string; descending: boolean }): string[] {
    const items = [...order, { ...id, type: 'uuid', nullable: false }]
      .map((item, index) => ({ ...item, value: keys[index] ?? null }))
      .flatMap(({ sql, ...item }) => (sql === undefined ? [] : [{ ...item, sql }]))
      .map((item) => ({ ...item, place: `${this.bindings.add(item.value)}::${item.type}` }));
    const [first] = items;
    if (items.length === 2 && first && !first.nullable && first.descending === id.descending) {
      return [`(${first.sql}, ${id.sql}) ${id.descending ? '<' : '>'} (${items.map(({ place }) => place).join(', ')})`];
    }
    const alternatives = items.flatMap(({ sql, descending, nullable, value, place }, index) => {
      if (value === null) return [];
      const compared = `${sql} ${descending ? '<' : '>'} ${place}`;
      const beyond = nullable ? `(${compared} OR ${sql} IS NULL)` : compared;
      const equal = items.slice(0, index).map((earlier) => `${earlier.sql} IS NOT DISTINCT FROM ${earlier.place}`);
      return [`(${[...equal, beyond].join(' AND ')})`];
    });
    const bound = first && !first.nullable ? [`${first.sql} ${first.descending ? '<=' : '>='} ${first.place}`] : [];
    return [...bound, `(${alternatives.join(' OR ')})`];
  }
}

/** SQL for the version of the type; null if it does not exist, or if a type that the conditions look at has another version. */
export function typeVersion(conditions: readonly Condition[], bindings: Bindings): string {
  const targets = targetsOf(conditions);
  const version = `SELECT t.version FROM content_types t WHERE t.tenant_id = $1 AND t.id = $2`;
  if (targets.length === 0) return `(${version})`;
  const ids = bindings.add(targets.map(({ typeId }) => typeId));
  const versions = bindings.add(targets.map((target) => target.version));
  return `(${version} AND (
      SELECT bool_and((
        SELECT true FROM content_types o WHERE o.tenant_id = $1 AND o.id = n.type AND o.version = n.version
      ) IS TRUE) FROM unnest(${ids}::uuid[], ${versions}::int[]) AS n (type, version)
    ))`;
}

/** The content types that the conditions look at besides that of the list. */
export function targetsOf(conditions: readonly Condition[]): Target[] {
  const targets = conditions.flatMap(throughConditions).flatMap((one) => one.targets);
  return [...new Map(targets.map((target) => [`${target.typeId} ${target.version}`, target])).values()];
}

/** SQL for the state of the entries of the content types, which is another one after every write. The types are an array. */
function stateOfEntries(types: string): string {
  return `(SELECT coalesce(bit_xor(state), 0) FROM entry_counts WHERE tenant_id = $1 AND content_type_id = ${types})`;
}

/** The sort keys before the ID, which is always the last key. */
export function keysBeforeId(sort: readonly SortKey[]): readonly SortKey[] {
  return isById(sort.at(-1)) ? sort.slice(0, -1) : sort;
}

/** Whether the key sorts like the ID. IDs grow with `created_at`. */
export function isById(key: SortKey | undefined): boolean {
  return key?.by === 'column' && (key.column === 'created_at' || key.column === 'id');
}

function joinEntry(source: Source): Source {
  if (!source.hasEntry) {
    source.hasEntry = true;
    source.from += ` CROSS JOIN LATERAL (
          SELECT * FROM entries WHERE tenant_id = $1 AND content_type_id = $2 AND id = ${source.id} OFFSET 0
        ) e`;
  }
  return source;
}

function orderBy({ sql, descending, nullable }: OrderItem): string {
  return `${sql} ${direction(descending)}${nullable ? ' NULLS LAST' : ''}`;
}

function direction(descending: boolean): string {
  return descending ? 'DESC' : 'ASC';
}
