import { serviceStatement } from '../../database/statements/statement.js';
import { IDLE_MS } from './session-times.js';

/** A session as it is stored. Times are ISO 8601. */
export interface SessionRow {
  id: string;
  /** SHA-256 of the token, in base64. */
  hash: string;
  personId: string | null;
  tenant: string | null;
  keyId: string | null;
  provider: string | null;
  browser: string;
  lastSeenAt: string;
}

const COLUMNS = `id, encode(hash, 'base64') AS hash, person_id AS "personId", tenant, key_id AS "keyId", provider, browser,
  last_seen_at AS "lastSeenAt"`;
const LIVES = `last_seen_at > now() - interval '${IDLE_MS} milliseconds'`;
/** Of each person and each key. The oldest one ends when there is another. */
const MOST = 50;
/** So many sessions that have ended are deleted with each new one. */
const SWEPT = 5;

export const FIND_SESSION = serviceStatement<{ hash: string }, SessionRow>()(
  'sessions.find',
  `SELECT ${COLUMNS} FROM sessions WHERE hash = decode(:hash, 'base64') AND ${LIVES}`,
);

export const LIST_SESSIONS = serviceStatement<{ personId: string }, SessionRow>()(
  'sessions.list',
  `SELECT ${COLUMNS} FROM sessions WHERE person_id = :personId AND ${LIVES} ORDER BY id DESC`,
);

/** Whether the session has not ended. Read after the person is locked, under whose lock sessions end. */
export const IS_OPEN = serviceStatement<{ id: string }, { id: string }>()(
  'sessions.is_open',
  `SELECT id FROM sessions WHERE id = :id AND ${LIVES}`,
);

/**
 * Writes a session, and deletes some that have ended and those beyond `MOST` of the same person or key. Returns how many of these there were. It
 * waits for none that another transaction has locked: the next session deletes them.
 */
export const INSERT_SESSION = serviceStatement<Omit<SessionRow, 'lastSeenAt'>, { beyond: number }>()(
  'sessions.insert',
  `WITH old AS (
      SELECT id FROM sessions WHERE NOT ${LIVES} ORDER BY last_seen_at LIMIT ${SWEPT} FOR UPDATE SKIP LOCKED
    ), beyond AS (
      SELECT id FROM sessions WHERE id IN (
        (SELECT id FROM sessions WHERE person_id = :personId::uuid ORDER BY id DESC OFFSET ${MOST - 1})
        UNION ALL (SELECT id FROM sessions WHERE key_id = :keyId::uuid ORDER BY id DESC OFFSET ${MOST - 1})
      ) FOR UPDATE SKIP LOCKED
    ), deleted AS (
      DELETE FROM sessions WHERE id IN (SELECT id FROM old UNION ALL SELECT id FROM beyond)
    )
    INSERT INTO sessions (id, hash, person_id, tenant, key_id, provider, browser, last_seen_at)
    VALUES (:id, decode(:hash, 'base64'), :personId::uuid, :tenant, :keyId::uuid, :provider, :browser, now())
    RETURNING (SELECT count(*) FROM beyond) AS beyond`,
);

/** Ends a session. Returns no row if it has ended already. */
export const END_SESSION = serviceStatement<{ id: string }, { id: string }>()(
  'sessions.end',
  'DELETE FROM sessions WHERE id = :id RETURNING id',
);

/** Ends the sessions of a person, except for one. `except` is null to end all. */
export const END_SESSIONS_OF = serviceStatement<{ personId: string; except: string | null }, { id: string }>()(
  'sessions.end_of_person',
  `DELETE FROM sessions WHERE id = ANY (ARRAY(
      SELECT id FROM sessions WHERE person_id = :personId AND id IS DISTINCT FROM :except::uuid ORDER BY id FOR UPDATE
    )) RETURNING id`,
);

/** Stores when sessions were last used. */
export const STORE_SESSION_USES = serviceStatement<{ ids: readonly string[]; times: readonly string[] }, never>()(
  'sessions.store_uses',
  `UPDATE sessions s SET last_seen_at = used.at
    FROM (SELECT id, at FROM unnest(:ids::uuid[], :times::timestamptz[]) AS u (id, at) ORDER BY id) AS used
    WHERE s.id = used.id AND s.last_seen_at < used.at`,
);
