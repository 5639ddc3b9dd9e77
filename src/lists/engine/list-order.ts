import type { Bindings } from '../../database/statements/bindings.js';
import type { Keyset } from '../page.js';

/** An expression of the order. If `nullable`, missing values sort last in both directions. If `sql` is undefined, no row has a value. */
export interface OrderItem {
  sql?: string;
  type: string;
  descending: boolean;
  nullable: boolean;
}

/** The ID, which is always the last item of an order. */
interface IdItem {
  sql: string;
  descending: boolean;
}

/** SQL that orders by the items and the ID. */
export function orderBy(order: readonly OrderItem[], id: IdItem): string {
  const items = order.filter(({ sql }) => sql !== undefined);
  return [
    ...items.map(({ sql, descending, nullable }) => `${sql} ${direction(descending)}${nullable ? ' NULLS LAST' : ''}`),
    `${id.sql} ${direction(id.descending)}`,
  ].join(', ');
}

/** SQL conditions for the rows after those keys. */
export function isAfter(order: readonly OrderItem[], id: IdItem, keys: Keyset, bindings: Bindings): string[] {
  const items = [...order, { ...id, type: 'uuid', nullable: false }]
    .map((item, index) => ({ ...item, value: keys[index] ?? null }))
    .flatMap(({ sql, ...item }) => (sql === undefined ? [] : [{ ...item, sql }]))
    .map((item) => ({ ...item, bound: `${bindings.add(item.value)}::${item.type}` }));
  const [first] = items;
  if (first && items.length <= 2 && !first.nullable && first.descending === id.descending) {
    const [columns, bounds] = [items.map(({ sql }) => sql), items.map(({ bound }) => bound)];
    return [`(${columns.join(', ')}) ${id.descending ? '<' : '>'} (${bounds.join(', ')})`];
  }
  const alternatives = items.flatMap(({ sql, descending, nullable, value, bound }, index) => {
    if (value === null) return [];
    const compared = `${sql} ${descending ? '<' : '>'} ${bound}`;
    const beyond = nullable ? `(${compared} OR ${sql} IS NULL)` : compared;
    const equal = items.slice(0, index).map((earlier) => `${earlier.sql} IS NOT DISTINCT FROM ${earlier.bound}`);
    return [`(${[...equal, beyond].join(' AND ')})`];
  });
  const bound = first && !first.nullable ? [`${first.sql} ${first.descending ? '<=' : '>='} ${first.bound}`] : [];
  return [...bound, `(${alternatives.join(' OR ')})`];
}

function direction(descending: boolean): string {
  return descending ? 'DESC' : 'ASC';
}
