import { hashOfSecret, isSecret, newSecretText, type SecretPrefix } from '../access/secrets/secret-text.js';
import { serviceStatement, type ServiceStatement } from '../database/statements/statement.js';

/** What a token is for, by the first characters that it has. A challenge of a passkey is only noted when it was answered. */
const PREFIXES = { invitation: 'tvi_', reset: 'tvr_', link: 'tvl_' } as const satisfies Record<string, SecretPrefix>;

type TokenPurpose = keyof typeof PREFIXES;

/** Runs statements on tables without tenants: the database, or a transaction. */
export interface ServiceExecutor {
  withoutTenants<Parameters, Row>(
    statement: ServiceStatement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
  ): Promise<Row[]>;
}

const INSERT_TOKEN = serviceStatement<
  { hash: string; purpose: string; subject: string; expiresAt: string },
  { hash: string }
>()(
  'one_time_tokens.insert',
  `WITH old AS (
      SELECT hash FROM one_time_tokens WHERE expires_at <= now() ORDER BY expires_at LIMIT 5 FOR UPDATE SKIP LOCKED
    ), deleted AS (
      DELETE FROM one_time_tokens WHERE hash IN (SELECT hash FROM old)
    )
    INSERT INTO one_time_tokens (hash, purpose, subject, expires_at) VALUES (decode(:hash, 'base64'), :purpose, :subject, :expiresAt)
    ON CONFLICT (hash) DO NOTHING RETURNING encode(hash, 'base64') AS hash`,
);

const FIND_TOKEN = serviceStatement<{ hash: string; purpose: string }, { subject: string; expiresAt: string }>()(
  'one_time_tokens.find',
  `SELECT subject, expires_at AS "expiresAt" FROM one_time_tokens
    WHERE hash = decode(:hash, 'base64') AND purpose = :purpose AND expires_at > now()`,
);

const TAKE_TOKEN = serviceStatement<{ hash: string; purpose: string }, { subject: string }>()(
  'one_time_tokens.take',
  `DELETE FROM one_time_tokens WHERE hash = decode(:hash, 'base64') AND purpose = :purpose AND expires_at > now() RETURNING subject`,
);

const DROP_TOKENS = serviceStatement<{ subject: string; purpose: string }, never>()(
  'one_time_tokens.drop',
  'DELETE FROM one_time_tokens WHERE subject = :subject AND purpose = :purpose',
);

/** Makes a token for the subject, and returns its text, of which only the hash is stored. */
export async function issueToken(
  executor: ServiceExecutor,
  { purpose, subject, seconds }: { purpose: TokenPurpose; subject: string; seconds: number },
): Promise<string> {
  const text = newSecretText(PREFIXES[purpose]);
  const expiresAt = new Date(Date.now() + seconds * 1000).toISOString();
  await executor.withoutTenants(INSERT_TOKEN, { hash: hashOfSecret(text), purpose, subject, expiresAt });
  return text;
}

/** Returns the subject of a valid token, without using it. */
export async function findToken(
  executor: ServiceExecutor,
  purpose: TokenPurpose,
  text: string,
): Promise<{ subject: string; expiresAt: string } | undefined> {
  if (!isSecret(PREFIXES[purpose], text)) return undefined;
  const [row] = await executor.withoutTenants(FIND_TOKEN, { hash: hashOfSecret(text), purpose });
  return row;
}

/** Uses a token. Returns its subject; undefined if it was used, has expired or has another purpose. */
export async function takeToken(
  executor: ServiceExecutor,
  purpose: TokenPurpose,
  text: string,
): Promise<string | undefined> {
  if (!isSecret(PREFIXES[purpose], text)) return undefined;
  const [row] = await executor.withoutTenants(TAKE_TOKEN, { hash: hashOfSecret(text), purpose });
  return row?.subject;
}

/** Ends the tokens of a subject. */
export async function dropTokens(executor: ServiceExecutor, purpose: TokenPurpose, subject: string): Promise<void> {
  await executor.withoutTenants(DROP_TOKENS, { subject, purpose });
}

/** Notes an answered challenge, by its hash (base64). Returns false if it was answered before. */
export async function useChallenge(executor: ServiceExecutor, hash: string, expiresAt: Date): Promise<boolean> {
  const challenge = { hash, purpose: 'challenge', subject: '', expiresAt: expiresAt.toISOString() };
  return (await executor.withoutTenants(INSERT_TOKEN, challenge)).length > 0;
}
