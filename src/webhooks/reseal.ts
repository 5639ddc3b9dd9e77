import type pg from 'pg';
import type { Executor } from '../database/database.js';
import { type Statement, statement } from '../database/statement.js';
import { formatId } from '../ids/type-id.js';
import type { SecretBox } from './secret-box.js';
import { contextOf } from './webhook-secrets.js';

/** Reads all tenants, because the webhooks of each are resealed. */
const TENANTS = 'SELECT id FROM tenants ORDER BY id';

const BATCH = 100;
const FIRST = '00000000-0000-0000-0000-000000000000';

const COLUMNS = `id, secret, headers, signing_key AS "signingKey", previous_secret AS "previousSecret", previous_secret_until <= now() AS "isExpired"`;

interface SealedRow {
  id: string;
  secret: string | null;
  headers: string | null;
  signingKey: string | null;
  previousSecret: string | null;
  /** Whether the previous secret no longer signs deliveries. */
  isExpired: boolean | null;
}

const NEXT = statement<{ after: string }, SealedRow>()(
  'reseal.next',
  `SELECT ${COLUMNS} FROM webhooks
    WHERE tenant_id = :tenantId AND id > :after
      AND (secret IS NOT NULL OR previous_secret IS NOT NULL OR headers IS NOT NULL OR signing_key IS NOT NULL)
    ORDER BY id LIMIT ${BATCH}`,
);

const AGAIN = statement<{ id: string }, SealedRow>()(
  'reseal.again',
  `SELECT ${COLUMNS} FROM webhooks WHERE tenant_id = :tenantId AND id = :id`,
);

interface Replacement {
  id: string;
  sealed: string;
  resealed: string;
}

/** Compares and sets, so that a secret that a request replaces concurrently is not overwritten. */
const SET = {
  secret: statement<Replacement, unknown>()(
    'reseal.secret',
    `UPDATE webhooks SET secret = :resealed
      WHERE tenant_id = :tenantId AND id = :id AND secret = :sealed RETURNING 1`,
  ),
  headers: statement<Replacement, unknown>()(
    'reseal.headers',
    `UPDATE webhooks SET headers = :resealed
      WHERE tenant_id = :tenantId AND id = :id AND headers = :sealed RETURNING 1`,
  ),
  signingKey: statement<Replacement, unknown>()(
    'reseal.signing_key',
    `UPDATE webhooks SET signing_key = :resealed
      WHERE tenant_id = :tenantId AND id = :id AND signing_key = :sealed RETURNING 1`,
  ),
  previousSecret: statement<Replacement, unknown>()(
    'reseal.previous_secret',
    `UPDATE webhooks SET previous_secret = :resealed
      WHERE tenant_id = :tenantId AND id = :id AND previous_secret = :sealed RETURNING 1`,
  ),
};

const FORGET_EXPIRED = statement<{ id: string; previousSecret: string }, unknown>()(
  'reseal.forget_expired',
  `UPDATE webhooks SET previous_secret = NULL, previous_secret_until = NULL
    WHERE tenant_id = :tenantId AND id = :id AND previous_secret = :previousSecret
      AND previous_secret_until <= now() RETURNING 1`,
);

export interface ResealReport {
  /** Number of secrets that were resealed with the first key. */
  resealed: number;
  /** Number of secrets that were sealed with the first key already. */
  current: number;
  /** Number of expired previous secrets that were removed. */
  forgotten: number;
  /** A line for each secret that could not be opened, with its webhook and the reason. */
  failures: string[];
}

/** The connection of the command. */
export class ResealSession implements Executor {
  constructor(private readonly client: pg.ClientBase) {}

  async query<Parameters, Row>(
    tenantId: string,
    { name, text, bind }: Statement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
  ): Promise<Row[]> {
    return (await this.client.query({ name, text, values: bind(tenantId, parameters) })).rows as Row[];
  }

  async tenants(): Promise<string[]> {
    const { rows } = await this.client.query<{ id: string }>(TENANTS);
    return rows.map(({ id }) => id);
  }
}

/** Seals every secret of every webhook with the first key of the box, while the service runs. */
export class Reseal {
  private readonly report: ResealReport = { resealed: 0, current: 0, forgotten: 0, failures: [] };

  constructor(
    private readonly session: Pick<ResealSession, 'query' | 'tenants'>,
    private readonly box: SecretBox,
  ) {}

  async run(): Promise<ResealReport> {
    for (const tenantId of await this.session.tenants()) await this.resealTenant(tenantId);
    return this.report;
  }

  private async resealTenant(tenantId: string): Promise<void> {
    for (let after = FIRST; ;) {
      const rows = await this.session.query(tenantId, NEXT, { after });
      for (const row of rows) await this.resealWebhook(tenantId, row);
      const last = rows.at(-1);
      if (!last || rows.length < BATCH) return;
      after = last.id;
    }
  }

  private async resealWebhook(tenantId: string, row: SealedRow): Promise<void> {
    const written = new Set<string>();
    for (let found: SealedRow | undefined = row; found;) {
      const outcome = await this.resealRow(tenantId, found, written);
      if (outcome) {
        this.report.current += outcome.current;
        this.report.failures.push(...outcome.failures);
        break;
      }
      [found] = await this.session.query(tenantId, AGAIN, { id: row.id });
    }
    this.report.resealed += written.size;
  }

  /**
   * Returns undefined if a request replaced a secret in the meantime; the row must then be read again. `written` collects the secrets that
   * were sealed here.
   */
  private async resealRow(
    tenantId: string,
    { id, secret, headers, signingKey, previousSecret, isExpired }: SealedRow,
    written: Set<string>,
  ): Promise<Pick<ResealReport, 'current' | 'failures'> | undefined> {
    const outcome = { current: 0, failures: [] as string[] };
    if (previousSecret !== null && isExpired) {
      const forgotten = await this.session.query(tenantId, FORGET_EXPIRED, { id, previousSecret });
      if (forgotten.length === 0) return undefined;
      this.report.forgotten++;
    }
    const secrets = { secret, headers, signingKey, previousSecret: isExpired ? null : previousSecret };
    for (const column of ['secret', 'headers', 'signingKey', 'previousSecret'] as const) {
      const sealed = secrets[column];
      if (sealed === null || written.has(sealed)) continue;
      const resealed = this.reseal(sealed, { tenantId, id });
      if (resealed instanceof Error) outcome.failures.push(`${formatId('wh', id)} of ${tenantId}: ${resealed.message}`);
      else if (resealed === sealed) outcome.current++;
      else if (!(await this.replace(tenantId, column, { id, sealed, resealed }))) return undefined;
      else written.add(resealed);
    }
    return outcome;
  }

  /** Returns false if a request replaced the secret in the meantime. */
  private async replace(tenantId: string, column: keyof typeof SET, replacement: Replacement): Promise<boolean> {
    return (await this.session.query(tenantId, SET[column], replacement)).length > 0;
  }

  /** Returns the secret sealed with the first key, which may be the same text, or an Error if no key opens it. */
  private reseal(sealed: string, owner: { tenantId: string; id: string }): string | Error {
    try {
      const plain = this.box.open(sealed, contextOf(owner));
      return this.box.isCurrent(sealed) ? sealed : this.box.seal(plain, contextOf(owner));
    } catch (error) {
      return error as Error;
    }
  }
}
