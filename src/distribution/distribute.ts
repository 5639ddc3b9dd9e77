import type pg from 'pg';
import { hasCitus, localTablesOfTenants, TENANTS } from '../database/servers/citus.js';
import { connectAndMigrate, dataSourceOptions, withMigrationLock } from '../database/data-source.js';
import { hasNoService } from '../database/servers/service-sessions.js';
import type { MigrationClass } from '../modules/module-manifest.js';
import { DistributionError } from './distribution-error.js';
import { assertCoordinator, assertNodes, setUpNodes } from './nodes.js';

/**
 * Tables without tenants that statements join with those of tenants. Every server has a copy of them. The other tables without tenants
 * (`migrations`, `address_hours`) stay on the coordinator, because their statements use no other table.
 */
const REFERENCE_TABLES = ['subscribers'];

export interface Distributed {
  /** The tables that were distributed now, and not earlier. */
  tables: readonly string[];
  /** The servers that hold rows of tenants. */
  placement: readonly Placement[];
}

interface Placement {
  /** Host and port. */
  node: string;
  /** Parts of the table `tenants`. The other tables have equal parts on the same server. */
  shards: number;
  bytes: number;
}

/**
 * Migrates the database and distributes the tables that are not distributed yet, all or none of them. Writes wait meanwhile. Throws a
 * DistributionError if the servers are not ready for it.
 */
export async function distribute(url: string, migrations: MigrationClass[]): Promise<Distributed> {
  await withMigrationLock(url, assertReady);
  const options = { migrations, applicationName: 'trivet distribute' };
  const dataSource = await connectAndMigrate(dataSourceOptions(url, 1, options));
  await dataSource.destroy();
  return withMigrationLock(url, async (client) => {
    await setUpNodes(client);
    const tables = await distributeTables(client);
    await truncateLocalCopies(client);
    return { tables, placement: await placementOf(client) };
  });
}

/** Throws a DistributionError if the tables cannot be distributed from this server now. Changes nothing. */
async function assertReady(client: pg.Client): Promise<void> {
  const where = `${client.host}:${client.port}`;
  if (!(await hasCitus(client))) {
    throw new DistributionError(
      `The database at ${where} does not have Citus. Run CREATE EXTENSION citus in it, on every server.`,
    );
  }
  await assertCoordinator(client, where);
  if (!(await hasNoService(client))) {
    throw new DistributionError(
      `Trivet is running on the database at ${where}. Stop it: it would not notice that its tables are distributed.`,
    );
  }
  await assertNodes(client);
}

/** Distributes all tables in one transaction, so that a service never finds only some of them distributed. Returns their names. */
async function distributeTables(client: pg.Client): Promise<string[]> {
  const ofTenants = await localTablesOfTenants(client);
  const references = await localReferenceTables(client);
  if (ofTenants.length + references.length === 0) return [];
  await client.query('BEGIN');
  try {
    // One connection to each server. Otherwise, a later table could not see what an earlier one has done in the same transaction.
    await client.query(`SET LOCAL citus.multi_shard_modify_mode = 'sequential'`);
    // A foreign key may lead only from one distributed table to another.
    const keys = await dropForeignKeys(client, ofTenants);
    for (const table of ofTenants) {
      if (table === TENANTS) await client.query(`SELECT create_distributed_table($1, 'id')`, [table]);
      else
        await client.query(`SELECT create_distributed_table($1, 'tenant_id', colocate_with => $2)`, [table, TENANTS]);
    }
    for (const table of references) await client.query('SELECT create_reference_table($1)', [table]);
    for (const { table, name, definition } of keys) {
      await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
    }
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
  return [...ofTenants, ...references];
}

async function localReferenceTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM unnest($1::text[]) AS name WHERE NOT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass(name))`,
    [REFERENCE_TABLES],
  );
  return rows.map(({ name }) => name);
}

interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

async function dropForeignKeys(client: pg.Client, tables: readonly string[]): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
      FROM pg_constraint WHERE contype = 'f' AND conrelid = ANY ($1::text[]::regclass[])`,
    [tables],
  );
  for (const { table, name } of rows) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  return rows;
}

/** Removes the rows that stayed behind on the coordinator, also of an earlier run that was interrupted. They are invisible, but take space. */
async function truncateLocalCopies(client: pg.Client): Promise<void> {
  await client.query(
    'SELECT truncate_local_data_after_distributing_table(table_name) FROM citus_tables WHERE pg_relation_size(table_name) > 0',
  );
}

async function placementOf(client: pg.Client): Promise<Placement[]> {
  const { rows } = await client.query<Placement>(
    `SELECT nodename || ':' || nodeport AS node, count(*) FILTER (WHERE table_name = $1::regclass)::integer AS shards,
        sum(shard_size)::float8 AS bytes
      FROM citus_shards WHERE citus_table_type = 'distributed' GROUP BY 1 ORDER BY 1`,
    [TENANTS],
  );
  return rows;
}
