import type pg from 'pg';

/** The table by whose rows all others are distributed. Its key is the tenant's ID. */
export const TENANTS = 'tenants';

type Queryable = Pick<pg.ClientBase, 'query'>;

/** Whether the database has the extension Citus, whether or not tables are distributed. */
export async function hasCitus(client: Queryable): Promise<boolean> {
  const { rows } = await client.query(`SELECT FROM pg_extension WHERE extname = 'citus'`);
  return rows.length > 0;
}

/** Whether the tables of tenants are distributed. The database must have Citus. */
export async function isDistributed(client: Queryable): Promise<boolean> {
  const { rows } = await client.query(`SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass($1)`, [TENANTS]);
  return rows.length > 0;
}

/** Divides tenants into those of each server. Returns one group if the tables of tenants are not distributed. The database must have Citus. */
export async function byServer(client: Queryable, tenantIds: readonly string[]): Promise<string[][]> {
  if (!(await isDistributed(client))) return [[...tenantIds]];
  const { rows } = await client.query<{ ids: string[] }>(
    `SELECT array_agg(id ORDER BY id) AS ids FROM unnest($2::text[]) AS id
      JOIN pg_dist_shard_placement ON shardid = get_shard_id_for_distribution_column($1, id) GROUP BY nodename, nodeport`,
    [TENANTS, tenantIds],
  );
  return rows.map(({ ids }) => ids);
}

/** Returns the tables with rows of tenants that are not distributed, `TENANTS` first. The database must have Citus. */
export async function localTablesOfTenants(client: Queryable): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
        AND (c.relname = $1 OR EXISTS (SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = 'tenant_id' AND NOT attisdropped))
        AND NOT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = c.oid)
      ORDER BY c.relname <> $1, c.relname`,
    [TENANTS],
  );
  return rows.map(({ name }) => name);
}
