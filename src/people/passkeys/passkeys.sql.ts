import { serviceStatement } from '../../database/statements/statement.js';

/** A passkey as it is stored. Times are ISO 8601. */
export interface PasskeyRow {
  id: string;
  personId: string;
  /** In base64url. */
  credentialId: string;
  /** COSE, in base64. */
  publicKey: string;
  counter: number;
  name: string;
  lastUsedAt: string | null;
}

const COLUMNS = `id, person_id AS "personId", credential_id AS "credentialId", encode(public_key, 'base64') AS "publicKey", counter, name,
  last_used_at AS "lastUsedAt"`;

export const FIND_PASSKEY = serviceStatement<{ credentialId: string }, PasskeyRow>()(
  'passkeys.find',
  `SELECT ${COLUMNS} FROM passkeys WHERE credential_id = :credentialId`,
);

/** A person has few passkeys. */
export const LIST_PASSKEYS = serviceStatement<{ personId: string }, PasskeyRow>()(
  'passkeys.list',
  `SELECT ${COLUMNS} FROM passkeys WHERE person_id = :personId ORDER BY id DESC`,
);

/** Returns no row if somebody has the passkey already. */
export const INSERT_PASSKEY = serviceStatement<
  Omit<PasskeyRow, 'lastUsedAt'> & { transports: readonly string[] },
  { id: string }
>()(
  'passkeys.insert',
  `INSERT INTO passkeys (id, person_id, credential_id, public_key, counter, transports, name)
    VALUES (:id, :personId, :credentialId, decode(:publicKey, 'base64'), :counter, :transports::text[], :name)
    ON CONFLICT (credential_id) DO NOTHING RETURNING id`,
);

/**
 * Notes a sign-in. Returns no row if the passkey was deleted, or if the counter does not grow: then another authenticator has a copy, or two
 * answers overtook each other. Authenticators that do not count say 0.
 */
export const USE_PASSKEY = serviceStatement<{ id: string; counter: number }, { id: string }>()(
  'passkeys.use',
  `UPDATE passkeys SET counter = :counter, last_used_at = now()
    WHERE id = :id AND (counter < :counter OR (counter = 0 AND :counter = 0)) RETURNING id`,
);

export const DELETE_PASSKEY = serviceStatement<{ id: string; personId: string }, { id: string }>()(
  'passkeys.delete',
  'DELETE FROM passkeys WHERE id = :id AND person_id = :personId RETURNING id',
);
