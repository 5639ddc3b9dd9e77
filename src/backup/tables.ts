import pg from 'pg';
import { TABLE_COLUMNS, REFERENCES, TABLES } from './tables.sql.js';

export interface Table {
  name: string;
  columns: string[];
}

interface TableRow {
  oid: string;
  name: string;
}

/** Returns the tables with their columns, each after the tables that its foreign keys refer to. */
export async function findTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows: tables } = await client.query<TableRow>(TABLES);
  const oids = tables.map(({ oid }) => oid);
  const { rows: columns } = await client.query<TableRow>(TABLE_COLUMNS, [oids]);
  const { rows: references } = await client.query<{ child: string; parent: string }>(REFERENCES, [oids]);
  return parentsFirst(tables, references).map(({ oid, name }) => ({
    name,
    columns: columns.filter((column) => column.oid === oid).map((column) => column.name),
  }));
}

function parentsFirst(tables: TableRow[], references: { child: string; parent: string }[]): TableRow[] {
  const placed = new Set<string>();
  const order: TableRow[] = [];
  const place = (table: TableRow): void => {
    if (placed.has(table.oid)) return;
    placed.add(table.oid);
    const parents = references.filter(({ child }) => child === table.oid).map(({ parent }) => parent);
    tables.filter(({ oid }) => parents.includes(oid)).forEach(place);
    order.push(table);
  };
  tables.forEach(place);
  return order;
}

/** Quotes names for SQL: `"name"`, or `"a", "b"`. */
export function quoted(...names: string[]): string {
  return names.map((name) => pg.escapeIdentifier(name)).join(', ');
}
