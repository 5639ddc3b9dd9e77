import { serviceStatement } from '../../database/statements/statement.js';

/** What a provider calls a person. */
interface IdentityKey {
  issuer: string;
  subject: string;
}

export const FIND_IDENTITY = serviceStatement<IdentityKey, { personId: string }>()(
  'identities.find',
  'SELECT person_id AS "personId" FROM identities WHERE issuer = :issuer AND subject = :subject',
);

/** Writes an identity of `personId`, in the place of that of `before` (null: there is none). Returns no row if it is somebody else's since. */
export const PUT_IDENTITY = serviceStatement<
  IdentityKey & { personId: string; before: string | null },
  { personId: string }
>()(
  'identities.put',
  `INSERT INTO identities AS i (issuer, subject, person_id) VALUES (:issuer, :subject, :personId)
    ON CONFLICT (issuer, subject) DO UPDATE SET person_id = :personId WHERE i.person_id = :before::uuid
    RETURNING person_id AS "personId"`,
);

/** Deletes those that the issuer called the person by before. */
export const DELETE_OTHER_IDENTITIES = serviceStatement<IdentityKey & { personId: string }, never>()(
  'identities.delete_others',
  'DELETE FROM identities WHERE person_id = :personId AND issuer = :issuer AND subject <> :subject',
);

/** A person has one at each issuer. */
export const LIST_IDENTITIES = serviceStatement<{ personId: string }, { issuer: string }>()(
  'identities.list',
  'SELECT issuer FROM identities WHERE person_id = :personId',
);
