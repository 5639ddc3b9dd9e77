import { serviceStatement } from '../../database/statements/statement.js';

/** What a provider calls a person. */
export interface IdentityKey {
  issuer: string;
  subject: string;
}

export const FIND_IDENTITY = serviceStatement<IdentityKey, { personId: string }>()(
  'identities.find',
  'SELECT person_id AS "personId" FROM identities WHERE issuer = :issuer AND subject = :subject',
);

/** A person has one at each issuer. */
export const LIST_IDENTITIES = serviceStatement<{ personId: string }, { issuer: string }>()(
  'identities.list',
  'SELECT issuer FROM identities WHERE person_id = :personId',
);
