import type pg from 'pg';
import { isDistributed, TENANTS } from '../database/servers/citus.js';
import { DistributionError } from './distribution-error.js';

/** Settings that every server needs and that take effect only after a restart, each with the values that are allowed. */
const NEEDED: Record<string, { allows: (value: string) => boolean; wanted: string }> = {
  // To move shards without stopping writes.
  wal_level: { allows: (value) => value === 'logical', wanted: 'logical' },
  // For changes of the schema, which concern all servers at once.
  max_prepared_transactions: { allows: (value) => Number(value) > 0, wanted: 'at least max_connections' },
};

/**
 * What the service sets on its own connections (`SESSION_OPTIONS`) and Citus does not pass on to the connections between the servers. They are
 * set for the database on every server.
 */
const SET: Record<string, string> = { enable_seqscan: 'off', jit: 'off', random_page_cost: '1.1', timezone: 'UTC' };

interface NodeResult {
  node: string;
  success: boolean;
  result: string;
}

/** Throws a DistributionError if the server is a worker of a cluster. */
export async function assertCoordinator(client: pg.Client, where: string): Promise<void> {
  const { rows } = await client.query<{ groupid: number }>('SELECT groupid FROM pg_dist_local_group');
  if ((rows[0]?.groupid ?? 0) === 0) return;
  const { rows: nodes } = await client.query<{ node: string }>(
    `SELECT nodename || ':' || nodeport AS node FROM pg_dist_node WHERE groupid = 0`,
  );
  const coordinator = nodes[0] ? `, which is at ${nodes[0].node}` : '';
  throw new DistributionError(
    `The server at ${where} is a worker. Set DATABASE_URL to the coordinator${coordinator}. Nothing was changed.`,
  );
}

/** Throws a DistributionError if there are no workers, one cannot be reached, or a server lacks a setting. */
export async function assertNodes(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    `SELECT FROM pg_dist_node WHERE noderole = 'primary' AND isactive AND shouldhaveshards AND groupid <> 0`,
  );
  if (rows.length === 0) {
    throw new DistributionError(`The coordinator knows no worker. Run SELECT citus_add_node('host', 5432) for each.`);
  }
  const faults: string[] = [];
  await assertWorkersEmpty(client);
  for (const [name, { allows, wanted }] of Object.entries(NEEDED)) {
    for (const { node, success, result } of await onAllNodes(client, `SELECT current_setting('${name}')`)) {
      if (!success) throw new DistributionError(`${node} cannot be asked: ${result}`);
      if (!allows(result)) faults.push(`${node}: ${name} is ${result}, and must be ${wanted}.`);
    }
  }
  if (faults.length > 0)
    throw new DistributionError(`Change these settings and restart the servers:\n${faults.join('\n')}`);
}

/** A worker on which a service or a migration ran has tables that those of the cluster would collide with. */
async function assertWorkersEmpty(client: pg.Client): Promise<void> {
  if (await isDistributed(client)) return;
  const { rows: own } = await client.query<{ node: string }>(
    `SELECT nodename || ':' || nodeport AS node FROM pg_dist_node WHERE groupid <> 0`,
  );
  const workers = new Set(own.map(({ node }) => node));
  const tables = await onAllNodes(client, `SELECT coalesce(to_regclass('${TENANTS}')::text, '')`);
  const taken = tables.find(({ node, success, result }) => workers.has(node) && success && result !== '');
  if (!taken) return;
  throw new DistributionError(
    `The database on the worker ${taken.node} has tables of Trivet of its own. If they hold nothing that is needed, create this database anew there.`,
  );
}

/** Gives the database on every server the settings of the service's connections. Citus passes them on from the coordinator. */
export async function setUpNodes(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>('SELECT quote_ident(current_database()) AS name');
  for (const [setting, value] of Object.entries(SET)) {
    await client.query(`ALTER DATABASE ${rows[0]?.name} SET ${setting} = '${value}'`);
  }
}

async function onAllNodes(client: pg.Client, statement: string): Promise<NodeResult[]> {
  const { rows } = await client.query<NodeResult>(
    `SELECT nodename || ':' || nodeport AS node, r.success, r.result
      FROM run_command_on_all_nodes($1, give_warning_for_connection_errors => true) r JOIN pg_dist_node USING (nodeid) ORDER BY 1`,
    [statement],
  );
  return rows;
}
