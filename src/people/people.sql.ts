import { serviceStatement } from '../database/statements/statement.js';

/** A person, as signing in needs them. */
export interface PersonRow {
  id: string;
  address: string;
  email: string;
  name: string;
  /** The hash of the password; null without one. */
  password: string | null;
  tenants: string[];
}

const COLUMNS = 'id, address, email, name, password, tenants';

export const FIND_PERSON = serviceStatement<{ id: string }, PersonRow>()(
  'people.find',
  `SELECT ${COLUMNS} FROM people WHERE id = :id`,
);

export const FIND_PERSON_BY_ADDRESS = serviceStatement<{ address: string }, PersonRow>()(
  'people.find_by_address',
  `SELECT ${COLUMNS} FROM people WHERE address = :address`,
);

/** Locks the row until the end of the transaction, so that memberships of a person change one after the other. */
export const LOCK_PERSON = serviceStatement<{ id: string }, PersonRow>()(
  'people.lock',
  `SELECT ${COLUMNS} FROM people WHERE id = :id FOR UPDATE`,
);

/** Writes a person who has just become a member of a first tenant. Returns no row if the address belongs to somebody, or the person is stored. */
export const INSERT_PERSON = serviceStatement<PersonRow, { id: string }>()(
  'people.insert',
  `INSERT INTO people (id, address, email, name, password, tenants)
    VALUES (:id, :address, :email, :name, :password, :tenants::text[]) ON CONFLICT DO NOTHING RETURNING id`,
);

export const SET_TENANTS = serviceStatement<{ id: string; tenants: readonly string[] }, never>()(
  'people.set_tenants',
  'UPDATE people SET tenants = :tenants::text[] WHERE id = :id',
);

/** What is null stays as it is. */
export const UPDATE_PERSON = serviceStatement<{ id: string; name: string | null; password: string | null }, never>()(
  'people.update',
  'UPDATE people SET name = coalesce(:name, name), password = coalesce(:password, password) WHERE id = :id',
);

/** Erases the person with passkeys, identities, networks and sessions. */
export const DELETE_PERSON = serviceStatement<{ id: string }, never>()(
  'people.delete',
  'DELETE FROM people WHERE id = :id',
);

export const IS_KNOWN_NETWORK = serviceStatement<{ address: string; network: string }, { id: string }>()(
  'people.is_known_network',
  `SELECT p.id FROM people p JOIN known_networks n ON n.person_id = p.id AND n.network = :network::uuid
    WHERE p.address = :address`,
);

/** So many networks of a person are remembered. */
const MOST_NETWORKS = 50;

/** Remembers that the person signed in from the network, and forgets those from which it is longest ago. */
export const NOTE_NETWORK = serviceStatement<{ personId: string; network: string }, never>()(
  'people.note_network',
  `WITH forgotten AS (
      DELETE FROM known_networks WHERE person_id = :personId AND network IN (
        SELECT network FROM known_networks WHERE person_id = :personId ORDER BY last_used_at DESC OFFSET ${MOST_NETWORKS - 1}
      )
    )
    INSERT INTO known_networks AS n (person_id, network, last_used_at) VALUES (:personId, :network::uuid, now())
    ON CONFLICT (person_id, network) DO UPDATE SET last_used_at = now()`,
);
