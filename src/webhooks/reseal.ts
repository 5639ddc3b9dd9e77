import type pg from 'pg';
import type { Executor } from '../database/database.js';
import { type Statement, statement } from '../database/statement.js';
import { formatId } from '../ids/type-id.js';
import type { SecretBox } from './secret-box.js';
import { contextOf, stillValid } from './webhook-secrets.js';
import type { PreviousSecret } from './webhook.entity.js';

/** Reads all tenants, because the webhooks of each are resealed. */
const TENANTS = 'SELECT id FROM tenants ORDER BY id';

const BATCH = 100;
const FIRST = '00000000-0000-0000-0000-000000000000';

/** `previous_secrets` as it is stored, so that it can be compared. */
const COLUMNS = `id, secret, headers, signing_key AS "signingKey", previous_secrets::text AS "previousSecrets"`;

/** What a webhook has sealed: texts, and `PreviousSecret[]` as JSON. */
interface Sealed {
  secret: string | null;
  headers: string | null;
  signingKey: string | null;
  previousSecrets: string | null;
}

type SealedRow = Sealed & { id: string };

const NEXT = statement<{ after: string }, SealedRow>()(
  'reseal.next',
  `SELECT ${COLUMNS} FROM webhooks
    WHERE tenant_id = :tenantId AND id > :after
      AND (secret IS NOT NULL OR previous_secrets IS NOT NULL OR headers IS NOT NULL OR signing_key IS NOT NULL)
    ORDER BY id LIMIT ${BATCH}`,
);

const AGAIN = statement<{ id: string }, SealedRow>()(
  'reseal.again',
  `SELECT ${COLUMNS} FROM webhooks WHERE tenant_id = :tenantId AND id = :id`,
);

/** Compares and sets, so that a secret that a request replaces concurrently is not overwritten. */
const REPLACE = statement<
  SealedRow & {
    newSecret: string | null;
    newHeaders: string | null;
    newKey: string | null;
    newPrevious: string | null;
  },
  unknown
>()(
  'reseal.replace',
  `UPDATE webhooks SET secret = :newSecret, headers = :newHeaders, signing_key = :newKey, previous_secrets = :newPrevious::json
    WHERE tenant_id = :tenantId AND id = :id AND secret IS NOT DISTINCT FROM :secret::text
      AND headers IS NOT DISTINCT FROM :headers::text AND signing_key IS NOT DISTINCT FROM :signingKey::text
      AND previous_secrets::text IS NOT DISTINCT FROM :previousSecrets::text
    RETURNING 1`,
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
    for (let found: SealedRow | undefined = row; found;) {
      const { sealed, report } = this.resealed(tenantId, found);
      if (await this.replace(tenantId, found, sealed)) {
        this.report.resealed += report.resealed;
        this.report.current += report.current;
        this.report.forgotten += report.forgotten;
        this.report.failures.push(...report.failures);
        return;
      }
      [found] = await this.session.query(tenantId, AGAIN, { id: row.id });
    }
  }

  /** Seals everything of a webhook with the first key. What no key opens stays as it is. */
  private resealed(tenantId: string, row: SealedRow): { sealed: Sealed; report: ResealReport } {
    const report: ResealReport = { resealed: 0, current: 0, forgotten: 0, failures: [] };
    const context = contextOf({ tenantId, id: row.id });
    const reseal = (text: string): string => {
      try {
        const plain = this.box.open(text, context);
        const isCurrent = this.box.isCurrent(text);
        report[isCurrent ? 'current' : 'resealed']++;
        return isCurrent ? text : this.box.seal(plain, context);
      } catch (error) {
        report.failures.push(`${formatId('wh', row.id)} of ${tenantId}: ${(error as Error).message}`);
        return text;
      }
    };
    const all = row.previousSecrets === null ? [] : (JSON.parse(row.previousSecrets) as PreviousSecret[]);
    const valid = stillValid(all);
    report.forgotten = all.length - valid.length;
    const sealed = {
      secret: row.secret && reseal(row.secret),
      headers: row.headers && reseal(row.headers),
      signingKey: row.signingKey && reseal(row.signingKey),
      previousSecrets:
        valid.length === 0
          ? null
          : JSON.stringify(valid.map(({ secret, until }) => ({ secret: reseal(secret), until }))),
    };
    return { sealed, report };
  }

  /** Returns false if a request replaced a secret in the meantime. */
  private async replace(tenantId: string, row: SealedRow, { secret, headers, signingKey, previousSecrets }: Sealed) {
    const isSame =
      secret === row.secret &&
      headers === row.headers &&
      signingKey === row.signingKey &&
      previousSecrets === row.previousSecrets;
    if (isSame) return true;
    const values = { newSecret: secret, newHeaders: headers, newKey: signingKey, newPrevious: previousSecrets };
    return (await this.session.query(tenantId, REPLACE, { ...row, ...values })).length > 0;
  }
}
