import { type NoParameters, serviceStatement } from '../database/statements/statement.js';
import { insert, part, write } from '../database/statements/write.js';

/** The channel on which changes of keys, roles and members, and ends of sessions are announced. */
export const CHANNEL = 'trivet_access';

interface VersionsRow {
  tenantId: string;
  /** Grows with every change of keys, roles and members. */
  version: string;
  /** Grows when sessions end. */
  ended: string;
}

const COLUMNS = 'tenant_id AS "tenantId", version::text, ended::text';

/** Whether anything has changed: every change adds to a sum. */
export const ACCESS_STATE = serviceStatement<NoParameters, { state: string }>()(
  'access.state',
  `SELECT concat_ws(' ', count(*), sum(version), sum(ended)) AS state FROM access_versions`,
);

export const ACCESS_VERSIONS = serviceStatement<NoParameters, VersionsRow>()(
  'access.versions',
  `SELECT ${COLUMNS} FROM access_versions`,
);

export const ACCESS_VERSIONS_OF = serviceStatement<{ tenantIds: readonly string[] }, VersionsRow>()(
  'access.versions_of',
  `SELECT ${COLUMNS} FROM access_versions WHERE tenant_id = ANY (:tenantIds::text[])`,
);

/**
 * Locks the keys, roles and members of the tenant against other changes, and announces this one at its commit. The first statement of such
 * a change.
 */
export const BEGIN_ACCESS_CHANGE = write<NoParameters, { announced: string }>()('access.begin_change', [
  insert(
    'changed',
    `INSERT INTO access_versions AS v (tenant_id, version, ended)
      VALUES (:tenantId, 1, 0)
      ON CONFLICT (tenant_id) DO UPDATE SET version = v.version + 1 RETURNING 1`,
  ),
  part('announced', `SELECT pg_notify('${CHANNEL}', '') AS announced FROM changed`, { of: 'changed' }),
]);

/** Announces at its commit that sessions that entered the tenant have ended. */
export const ANNOUNCE_ENDED_SESSIONS = write<NoParameters, { announced: string }>()('access.announce_ended_sessions', [
  insert(
    'changed',
    `INSERT INTO access_versions AS v (tenant_id, version, ended)
      VALUES (:tenantId, 0, 1)
      ON CONFLICT (tenant_id) DO UPDATE SET ended = v.ended + 1 RETURNING 1`,
  ),
  part('announced', `SELECT pg_notify('${CHANNEL}', '') AS announced FROM changed`, { of: 'changed' }),
]);
