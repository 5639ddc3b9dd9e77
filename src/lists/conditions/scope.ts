import type { Bindings } from '../../database/statements/bindings.js';
import type { ListTable } from '../engine/list-table.js';

/** Where the values of a condition go, and the rows that must meet it: those of a table that belong to one parent. */
export interface Scope {
  bindings: Bindings;
  table: ListTable;
  /** The placeholder of the parent's ID: `$2` for that of the list. */
  parent: string;
}

/** SQL that is true for the rows `alias` of the tenant and the parent, in the table of the list or in one of its indexes. */
export function ofParent(alias: string, { table, parent }: Scope): string {
  return `${alias}.tenant_id = $1${table.parent ? ` AND ${alias}.${table.parent.column} = ${parent}` : ''}`;
}

/** The same, so that only an index of words is used, whose lexemes include the parent. These comparisons exclude the other indexes. */
export function wordsOfParent(alias: string, scope: Scope): string {
  const { table, parent } = scope;
  const ofTenant = `${alias}.tenant_id = $1 COLLATE "POSIX"${inView(alias, scope)}`;
  return table.parent ? `${ofTenant} AND ${alias}.${table.parent.column} IS NOT DISTINCT FROM ${parent}` : ofTenant;
}

/** SQL that is true for the words of one row of the parent. */
export function wordsById(alias: string, id: string, scope: Scope): string {
  const { row = 'id' } = scope.table.words ?? {};
  return `${ofParent(alias, scope)} AND ${alias}.${row} = ${id}${inView(alias, scope)}`;
}

function inView(alias: string, { table: { words }, bindings }: Scope): string {
  return words?.view === undefined ? '' : ` AND ${bindings.add(words.view)} = ANY (${alias}.views)`;
}

/** SQL that selects the row `e` with this ID. */
export function rowById(id: string, scope: Scope): string {
  return `SELECT * FROM ${scope.table.name} e WHERE ${ofParent('e', scope)} AND e.${scope.table.id} = ${id}`;
}

/** SQL that joins the row `e` with this ID. `OFFSET 0` keeps the subquery separate, so that each row is looked up by its key. */
export function joinRow(id: string, scope: Scope): string {
  return `CROSS JOIN LATERAL (${rowById(id, scope)} OFFSET 0) e`;
}
