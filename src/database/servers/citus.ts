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

/** A server that has rows of tenants, or would have them. */
export interface TenantServer {
  /** Host and port. */
  name: string;
  tenantIds: readonly string[];
  /** The ID of a tenant whose rows the server has, or would have if the tenant existed. */
  sampleId: string;
}

/** The number of invented IDs of tenants by which servers without a tenant are found. Of 32 servers, each has one of them. */
const SAMPLES = 500;

/** Returns the servers that have a part of the table of tenants, with those of `tenantIds`. The tables must be distributed. */
export async function serversOf(client: Queryable, tenantIds: readonly string[]): Promise<TenantServer[]> {
  const servers = await serversOfIds(client, tenantIds);
  const { rows } = await client.query<{ name: string }>(
    `SELECT DISTINCT concat(nodename, ':', nodeport) AS name FROM pg_dist_shard JOIN pg_dist_shard_placement USING (shardid)
      WHERE logicalrelid = to_regclass($1)`,
    [TENANTS],
  );
  const isOther = ({ name }: { name: string }) => servers.every((server) => server.name !== name);
  if (!rows.some(isOther)) return servers;
  const sampled = await serversOfIds(
    client,
    Array.from({ length: SAMPLES }, (_, number) => `sample ${number}`),
  );
  return [...servers, ...sampled.filter(isOther).map((server) => ({ ...server, tenantIds: [] }))];
}

async function serversOfIds(client: Queryable, ids: readonly string[]): Promise<TenantServer[]> {
  const { rows } = await client.query<TenantServer>(
    `SELECT concat(nodename, ':', nodeport) AS name, min(id) AS "sampleId", array_agg(id ORDER BY id) AS "tenantIds" FROM unnest($2::text[]) AS id
      JOIN pg_dist_shard_placement ON shardid = get_shard_id_for_distribution_column($1, id) GROUP BY nodename, nodeport`,
    [TENANTS, ids],
  );
  return rows;
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
