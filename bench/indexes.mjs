/** Loading rows is several times faster without indexes, and building an index afterwards gives the same index. */

/** Runs `work` while the tables have no indexes and keys, and then recreates them as defined before. */
export async function withoutIndexes(client, tables, work) {
  const before = await definitions(client, tables);
  for (const { table, name, constraint } of before) {
    await client.query(constraint ? `ALTER TABLE ${table} DROP CONSTRAINT ${name}` : `DROP INDEX ${name}`);
  }
  await work();
  await client.query(`SET maintenance_work_mem = '1GB'`);
  await client.query('SET max_parallel_maintenance_workers = 1');
  for (const { table, name, constraint, definition } of before) {
    await client.query(constraint ? `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}` : definition);
  }
  const after = await definitions(client, tables);
  if (JSON.stringify(after) !== JSON.stringify(before)) throw new Error('The indexes were not restored correctly.');
}

async function definitions(client, tables) {
  const { rows } = await client.query(
    `SELECT i.indrelid::regclass::text AS table, i.indexrelid::regclass::text AS name, c.oid IS NOT NULL AS constraint,
       coalesce(pg_get_constraintdef(c.oid), pg_get_indexdef(i.indexrelid)) AS definition
     FROM pg_index i LEFT JOIN pg_constraint c ON c.conindid = i.indexrelid AND c.conrelid = i.indrelid
     WHERE i.indrelid = ANY ($1::regclass[]) ORDER BY 1, 2`,
    [tables],
  );
  return rows;
}
