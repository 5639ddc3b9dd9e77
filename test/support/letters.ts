import { randomBytes } from 'node:crypto';
import { Database } from '../../src/database/database.js';
import { newUuid } from '../../src/ids/type-id.js';
import type { Letter } from '../../src/mail/letters/letter.js';
import { Letters } from '../../src/mail/letters/letters.js';
import type { TestApp, TestTenant } from './app.js';

type Invitation = Extract<Letter, { kind: 'invitation' }>;

export interface LetterOfTest {
  tenant: Pick<TestTenant, 'id'>;
  letter: Invitation;
  address: string;
  token: string;
}

interface StoredLetter extends Record<string, unknown> {
  status: string;
  attempts: number;
  content: string | null;
  recipient: string | null;
  last_error: string | null;
  next_attempt_at: Date | null;
}

let addresses = 0;

/** An invitation with a token, to an address that no other test uses. */
export function newInvitation(tenant: Pick<TestTenant, 'id'>, rest: Partial<Invitation> = {}): LetterOfTest {
  const token = randomBytes(24).toString('hex');
  const letter: Invitation = {
    id: newUuid(),
    kind: 'invitation',
    to: { name: 'Ada Lovelace', address: `ada.lovelace.${++addresses}@people.example` },
    tenant: 'Acme Magazine',
    inviter: 'Grace Hopper',
    url: `https://cms.example/console/invitation#${token}`,
    expiresAt: new Date(Date.now() + 7 * 86_400_000).toISOString(),
    ...rest,
  };
  return { tenant, letter, address: letter.to.address, token };
}

export async function writeLetter(app: TestApp, { tenant, letter }: LetterOfTest): Promise<void> {
  await app
    .get(Database)
    .transaction(tenant.id, (transaction) => app.get(Letters).write(transaction, tenant.id, letter));
}

export async function storedLetter(
  database: TestApp['database'],
  { letter }: Pick<LetterOfTest, 'letter'>,
): Promise<StoredLetter | undefined> {
  const [row] = await database.query<StoredLetter>('SELECT * FROM letters WHERE id = $1', [letter.id]);
  return row;
}

/** Returns the tables with a row that contains the text, in any column. */
export async function tablesWith(database: TestApp['database'], text: string): Promise<string[]> {
  const tables = await database.query<{ name: string }>(
    `SELECT quote_ident(relname) AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await database.query(
      `SELECT FROM ${name} AS row WHERE strpos(lower(row::text), lower($1)) > 0 LIMIT 1`,
      [text],
    );
    if (rows.length > 0) found.push(name);
  }
  return found;
}
