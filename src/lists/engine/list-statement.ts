import { Bindings, type Composed } from '../../database/statements/bindings.js';
import { matchesSearch } from '../../search/matches-search.js';
import type { SearchMatch } from '../../search/search-match.js';
import { allOf, type Condition, customConditions, negate, readsRow } from '../conditions/condition.js';
import { candidateIds, meets, rowsById, sectionsNamed, valueIndex, valueRows } from '../conditions/condition.sql.js';
import {
  cheapestOf,
  type Driver,
  type DrivingCondition,
  isDriving,
  isExactCondition,
  isIndexed,
  isInIdOrder,
} from '../conditions/driving-conditions.js';
import { joinRow, ofParent, type Scope, wordsById, wordsOfParent } from '../conditions/scope.js';
import { type CachedTotal, selectTotal } from '../total-cache.js';
import { isAfter, orderBy, type OrderItem } from './list-order.js';
import {
  type AccessPath,
  isById,
  keysBeforeId,
  type ListQuery,
  MAX_SORTED,
  type PageBounds,
  type Segment,
} from './list-query.js';
import type { ListTable } from './list-table.js';

/** A row of a page, besides its columns. A page without rows is one row whose `id` is null, if it has a version or a total. */
export interface PageRow {
  /** Undefined if the table has no schema. Null if the list's parent does not exist. */
  schemaVersion?: number | null;
  /** Null or undefined if it was not requested. */
  total?: number | null;
  /** The state in which the total was counted, if that took long. */
  state?: number | null;
  id: string | null;
  /** The sort keys `k0…` for a cursor. */
  [key: `k${number}`]: string | null;
}

/** What a list has, regardless of the page. */
export interface ListTotals {
  schemaVersion?: number | null;
  total: number;
  state: number | null;
  /** The number of rows regardless of the query. */
  all: number;
}

/** The rows that the IDs come from, and the conditions that must still be tested. */
interface Source {
  from: string;
  id: string;
  /** Whether the row itself is joined as `e`. */
  hasRow: boolean;
  where: string[];
  conditions: readonly Condition[];
  search?: SearchMatch;
}

/** Up to this offset, the skipped rows are read with all their columns. */
const NEAR = 200;

/** Builds the statements of one list. `$1` is the tenant, and `$2` the parent. Every value is bound, including the names of fields. */
export class ListStatement {
  private readonly bindings = new Bindings();
  private readonly scope: Scope;

  constructor(
    private readonly table: ListTable,
    private readonly query: ListQuery,
  ) {
    const parent = table.parent ? this.bindings.add(table.parent.id) : '';
    this.scope = { bindings: this.bindings, table, parent };
  }

  /** Selects a page as `PageRow`s with the columns of the rows. If the order is followed, the known total is used if it is still true. */
  page(path: AccessPath, segment: Segment, bounds: PageBounds, withTotal: boolean, known?: CachedTotal): Composed {
    const source = this.source(path, segment);
    const order = this.order(path, segment, source);
    const id = { sql: source.id, descending: this.query.sort.at(-1)?.descending ?? true };
    const where = this.where(source);
    if (bounds.after) where.push(...isAfter(order, id, bounds.after, this.bindings));
    // Sorted rows are found once, then counted and sorted.
    const isFoundOnce = withTotal && path !== 'ordered';
    const isRead = source.hasRow && !isFoundOnce && (bounds.offset ?? 0) <= NEAR;
    const keys = order.map(({ sql = 'NULL', type }, index) => `(${sql})::${type} AS k${index}`);
    const columns = [`${source.id} AS id`, ...keys, ...(isRead ? [this.table.columns.read('e', this.bindings)] : [])];
    const rows = `SELECT ${columns.join(', ')} FROM ${source.from} WHERE ${where.join(' AND ')}`;
    const limit = `LIMIT ${bounds.limit}${bounds.offset ? ` OFFSET ${this.bindings.add(bounds.offset)}` : ''}`;
    const byKeys = (alias: string) =>
      orderBy(
        order.map((item, index) => ({ ...item, sql: `${alias}.k${index}`, nullable: true })),
        { ...id, sql: `${alias}.id` },
      );
    const page = isFoundOnce
      ? `SELECT * FROM found f ORDER BY ${byKeys('f')}`
      : `${rows} ORDER BY ${orderBy(order, id)}`;
    const shown = [
      'p.id',
      this.table.columns.shown(isRead ? 'p' : 'e'),
      ...order.map((_, index) => `p.k${index}::text`),
    ];
    const limited = `(${page} ${limit}) p${isRead ? '' : ` ${fetched(this.scope)}`}`;
    const found = isFoundOnce ? `WITH found AS MATERIALIZED (${rows}) ` : '';
    const ordered = `ORDER BY ${byKeys('p')}`;
    if (!withTotal && !this.table.version)
      return this.composed(`SELECT ${shown.join(', ')} FROM ${limited} ${ordered}`);
    const total = isFoundOnce ? uncounted('(SELECT count(*) FROM found)') : this.total(path, withTotal, known);
    return this.composed(`${found}SELECT ${[...this.headColumns(), ...shown].join(', ')}
      FROM (${this.head(total)} OFFSET 0) t LEFT JOIN ${isRead ? limited : `(${limited})`} ON true
      ${ordered}`);
  }

  /** Selects `ListTotals`. */
  totals(path: AccessPath, known?: CachedTotal): Composed {
    const all = this.table.counters?.all ?? 'NULL::bigint';
    return this.composed(
      `SELECT ${this.headColumns().join(', ')}, ${all} AS "all" FROM (${this.head(this.total(path, true, known))}) t`,
    );
  }

  /** Counts the matches; undefined if the counters have their number. */
  matches(path: AccessPath): Composed | undefined {
    return this.counter() === undefined ? this.composed(this.countOfMatches(path)) : undefined;
  }

  /** Counts the rows of a segment. */
  count(segment: Segment): Composed {
    return this.composed(this.countOf(this.source('ordered', segment)));
  }

  /** Counts the rows that each driver leaves as `n0`, `n1` …, up to `MAX_SORTED` + 1. */
  sizes(drivers: readonly (Condition | 'search')[]): Composed {
    const counts = drivers.map((driver, index) => {
      // A row that a table's own condition finds several times is counted as often, so that not all must be read.
      const rows =
        driver === 'search'
          ? this.found('search')
          : { from: `(${candidateIds(driver, this.scope, driver.kind === 'custom')}) c`, where: ['true'] };
      const count = `(SELECT count(*) FROM (SELECT FROM ${rows.from} WHERE ${rows.where.join(' AND ')} LIMIT ${MAX_SORTED + 1}) x)`;
      const isBroad = driver === 'search' ? [] : this.isBroad(driver);
      if (isBroad.length === 0) return `${count} AS n${index}`;
      // Few rows may have been found because not all that lead to them were read.
      return `(SELECT CASE WHEN c.size <= ${MAX_SORTED} AND (${isBroad.join(' OR ')}) THEN ${MAX_SORTED + 1} ELSE c.size END
        FROM (SELECT ${count} AS size OFFSET 0) c) AS n${index}`;
    });
    const bound = ['$1::text', ...(this.table.parent ? [`${this.scope.parent}::uuid`] : [])];
    return this.composed(`SELECT ${counts.join(', ')} WHERE ${bound.map((one) => `${one} IS NOT NULL`).join(' AND ')}`);
  }

  private composed(text: string): Composed {
    return { text, values: this.bindings.values };
  }

  /** SQL of one row with the version of the schema, the total and its state. */
  private head(total: string): string {
    const version = this.table.version?.current(this.query.conditions, this.bindings);
    return `SELECT ${version === undefined ? '' : `${version} AS "schemaVersion", `}c.total, c.state FROM (${total}) c`;
  }

  private headColumns(): string[] {
    return [...(this.table.version ? ['t."schemaVersion"'] : []), 't.total', 't.state'];
  }

  /** SQL of one row with the total and, if it was counted and can be kept, the state in which it is true. */
  private total(path: AccessPath, isWanted: boolean, known?: CachedTotal): string {
    if (!isWanted) return uncounted('NULL::bigint');
    const counter = this.counter();
    if (counter !== undefined) return uncounted(counter);
    const count = `(${this.countOfMatches(path)})`;
    const state = this.table.counters?.state?.(this.query.conditions, this.bindings);
    return state === undefined ? uncounted(count) : selectTotal(this.bindings, count, state, known);
  }

  /** SQL for the total, if counters have it. */
  private counter(): string | undefined {
    const { conditions, search } = this.query;
    return search === undefined ? this.table.counters?.of(conditions, this.bindings) : undefined;
  }

  private countOfMatches(path: AccessPath): string {
    if (path !== 'ordered') return this.countOf(this.found(path.sorted));
    const { conditions, search } = this.query;
    const driving = conditions.filter(isDriving);
    const drivers: Driver[] = search === undefined ? driving : [...driving, 'search'];
    const opposite = negate(allOf(conditions));
    const { counters } = this.table;
    if (counters && drivers.every(isCommon) && isDriving(opposite)) {
      return this.unlessBroad(opposite, `SELECT ${counters.all} - (${this.countOf(this.excluded(opposite))})`);
    }
    if (drivers.length === 0) return this.countOf(this.all());
    const cheapest = cheapestOf(drivers);
    return this.unlessBroad(cheapest, this.countOf(this.found(cheapest)));
  }

  /** The count of the matches, or `counted`, which is the same but reads all rows that lead to those of the driver. */
  private unlessBroad(driver: Driver, counted: string): string {
    const broad = driver === 'search' ? [] : this.isBroad(driver);
    if (broad.length === 0) return counted;
    const tested = this.countOf(this.query.search === undefined ? this.all() : this.found('search'));
    return `SELECT CASE WHEN ${broad.join(' OR ')} THEN (${tested}) ELSE (${counted}) END`;
  }

  private isBroad(condition: Condition): string[] {
    return customConditions(condition).flatMap((one) => one.isBroad?.(this.scope) ?? []);
  }

  /** The rows that do not match, which an index finds. */
  private excluded(opposite: DrivingCondition): Source {
    const from = `(${candidateIds(opposite, this.scope)}) c`;
    const tests = isExactCondition(opposite) ? [] : [opposite];
    return this.withRow({ from, id: 'c.id', hasRow: false, where: ['true'], conditions: tests });
  }

  private countOf(source: Source): string {
    return `SELECT count(*) FROM ${source.from} WHERE ${this.where(source).join(' AND ')}`;
  }

  private source(path: AccessPath, segment: Segment): Source {
    if (path !== 'ordered') return this.found(path.sorted);
    const { conditions, sort, search } = this.query;
    const [first] = sort;
    if (first?.by !== 'field') {
      const driver = isById(first) ? conditions.filter(isDriving).find(isInIdOrder) : undefined;
      return driver ? this.found(driver) : this.all();
    }
    const { field } = first;
    const { absent, row } = valueIndex(this.scope);
    if (segment === 'without value' && !absent) {
      const source = this.all();
      source.where.push(
        `(SELECT true ${rowsById(sectionsNamed(field.sortField, this.scope), source.id, this.scope)} LIMIT 1) IS NULL`,
      );
      return source;
    }
    // Conditions on the sort field itself bound the scan.
    const own =
      segment === 'without value' || field.multiple
        ? []
        : conditions.filter(isIndexed).filter((one) => one.field === field);
    const name = segment === 'without value' && absent ? absent(field) : field.sortField;
    const rows = valueRows(`v.${row} AS id, v.sort_key`, sectionsNamed(name, this.scope), own, this.scope);
    const order = orderBy([{ sql: 'v.sort_key', type: 'text', descending: first.descending, nullable: false }], {
      sql: `v.${row}`,
      descending: sort.at(-1)?.descending ?? true,
    });
    // Each is ordered by itself, so that they are merged instead of sorted.
    const from = rows.length > 1 ? rows.map((one) => `(${one} ORDER BY ${order})`).join(' UNION ALL ') : rows.join('');
    return this.withRow({
      from: `(${from}) c`,
      id: 'c.id',
      hasRow: false,
      where: ['true'],
      conditions: conditions.filter((one) => !own.some((bound) => bound === one)),
      search,
    });
  }

  private all(): Source {
    const { conditions, search } = this.query;
    const where = [ofParent('e', this.scope), ...this.part()];
    return { from: `${this.table.name} e`, id: `e.${this.table.id}`, hasRow: true, where, conditions, search };
  }

  /** The test of the part of the table that the list is limited to. */
  private part(): string[] {
    return this.table.part === undefined ? [] : [this.table.part];
  }

  /** The rows of a driver. */
  private found(driver: Driver): Source {
    const { conditions, search } = this.query;
    if (driver === 'search') {
      const { table, row } = this.words();
      const where = [wordsOfParent('w', this.scope), search ? matchesSearch(search, 'w', this.bindings) : 'false'];
      const source = { from: `${table} w`, id: `w.${row}`, hasRow: false, where, conditions };
      if (this.table.part === undefined) return this.withRow(source);
      // Words do not tell in which part a row is.
      source.where.push(...this.part());
      return this.joined(source);
    }
    const others = isExactCondition(driver) ? conditions.filter((one) => one !== driver) : conditions;
    const from = `(${candidateIds(driver, this.scope)}) c`;
    return this.withRow({ from, id: 'c.id', hasRow: false, where: ['true'], conditions: others, search });
  }

  private words() {
    if (!this.table.words) throw new Error(`The rows of ${this.table.name} have no words.`);
    return this.table.words;
  }

  /** Joins the row if a condition reads it. */
  private withRow(source: Source): Source {
    return source.conditions.some(readsRow) ? this.joined(source) : source;
  }

  private joined(source: Source): Source {
    if (!source.hasRow) {
      source.hasRow = true;
      source.from += ` ${joinRow(source.id, this.scope)}`;
    }
    return source;
  }

  private where(source: Source): string[] {
    const tests = source.conditions.map((condition) => meets(condition, source.id, this.scope));
    if (source.search !== undefined) {
      tests.push(`(SELECT ${matchesSearch(source.search, 'w', this.bindings)} FROM ${this.words().table} w
        WHERE ${wordsById('w', source.id, this.scope)})`);
    }
    return [...source.where, ...tests];
  }

  /** The sort expressions before the ID. Joins the rows that they read to the source. */
  private order(path: AccessPath, segment: Segment, source: Source): OrderItem[] {
    return keysBeforeId(this.query.sort).map((key, index): OrderItem => {
      const { descending } = key;
      if (key.by === 'column') {
        this.joined(source);
        const { name, type, isNullable = false } = key.column;
        return { sql: `e.${name}`, type, descending, nullable: isNullable };
      }
      if (path === 'ordered' && index === 0) {
        if (segment === 'without value') return { type: 'text', descending, nullable: true };
        return { sql: 'c.sort_key', type: 'text', descending, nullable: false };
      }
      const rows = rowsById(sectionsNamed(key.field.sortField, this.scope), source.id, this.scope);
      source.from += ` LEFT JOIN LATERAL (SELECT v.sort_key ${rows} LIMIT 1) o${index} ON true`;
      return { sql: `o${index}.sort_key`, type: 'text', descending, nullable: true };
    });
  }
}

/** SQL that joins the columns that a page shows, as `e`, to the rows `p` of a page. `OFFSET 0` keeps the subquery separate, so that each row is looked up by its key. */
export function fetched(scope: Scope): string {
  const { name, id, columns } = scope.table;
  return `CROSS JOIN LATERAL (
        SELECT r.${id} AS id, ${columns.read('r', scope.bindings)} FROM ${name} r WHERE ${ofParent('r', scope)} AND r.${id} = p.id OFFSET 0
      ) e`;
}

/** SQL of a row with a total that is never kept. */
function uncounted(total: string): string {
  return `SELECT ${total} AS total, NULL::bigint AS state`;
}

function isCommon(driver: Driver): boolean {
  return driver !== 'search' && driver.kind === 'custom' && driver.isCommon === true;
}
