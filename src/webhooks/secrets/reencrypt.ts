import type pg from 'pg';
import type { Executor } from '../../database/transaction.js';
import { type Statement, statement } from '../../database/statements/statement.js';
import { formatId } from '../../ids/type-id.js';
import type { SecretCipher } from './secret-cipher.js';
import { contextOf, stillValid } from './webhook-secrets.js';
import type { PreviousSecret } from '../webhook.entity.js';

/** Reads all tenants, because the webhooks of each are reencrypted. */
const TENANTS = 'SELECT id FROM tenants ORDER BY id';

const BATCH = 100;
const FIRST = '00000000-0000-0000-0000-000000000000';

/** `previous_secrets` as it is stored, so that it can be compared. */
const COLUMNS = `id, secret, headers, signing_key AS "signingKey", previous_secrets::text AS "previousSecrets"`;

/** What a webhook has encrypted: texts, and `PreviousSecret[]` as JSON. */
interface Encrypted {
  secret: string | null;
  headers: string | null;
  signingKey: string | null;
  previousSecrets: string | null;
}

type EncryptedRow = Encrypted & { id: string };

const NEXT = statement<{ after: string }, EncryptedRow>()(
  'reencrypt.next',
  `SELECT ${COLUMNS} FROM webhooks
    WHERE tenant_id = :tenantId AND id > :after
      AND (secret IS NOT NULL OR previous_secrets IS NOT NULL OR headers IS NOT NULL OR signing_key IS NOT NULL)
    ORDER BY id LIMIT ${BATCH}`,
);

const AGAIN = statement<{ id: string }, EncryptedRow>()(
  'reencrypt.again',
  `SELECT ${COLUMNS} FROM webhooks WHERE tenant_id = :tenantId AND id = :id`,
);

/** Compares and sets, so that a secret that a request replaces concurrently is not overwritten. */
const REPLACE = statement<
  EncryptedRow & {
    newSecret: string | null;
    newHeaders: string | null;
    newKey: string | null;
    newPrevious: string | null;
  },
  unknown
>()(
  'reencrypt.replace',
  `UPDATE webhooks SET secret = :newSecret, headers = :newHeaders, signing_key = :newKey, previous_secrets = :newPrevious::json
    WHERE tenant_id = :tenantId AND id = :id AND secret IS NOT DISTINCT FROM :secret::text
      AND headers IS NOT DISTINCT FROM :headers::text AND signing_key IS NOT DISTINCT FROM :signingKey::text
      AND previous_secrets::text IS NOT DISTINCT FROM :previousSecrets::text
    RETURNING 1`,
);

interface ReencryptionReport {
  /** Number of secrets that were reencrypted with the first key. */
  reencrypted: number;
  /** Number of secrets that were encrypted with the first key already. */
  current: number;
  /** Number of expired previous secrets that were removed. */
  forgotten: number;
  /** A line for each secret that could not be decrypted, with its webhook and the reason. */
  failures: string[];
}

/** The connection of the command. */
export class ReencryptionSession implements Executor {
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

/** Encrypts every secret of every webhook with the first key of the cipher, while the service runs. */
export class Reencryption {
  private readonly report: ReencryptionReport = { reencrypted: 0, current: 0, forgotten: 0, failures: [] };

  constructor(
    private readonly session: Pick<ReencryptionSession, 'query' | 'tenants'>,
    private readonly cipher: SecretCipher,
  ) {}

  async run(): Promise<ReencryptionReport> {
    for (const tenantId of await this.session.tenants()) await this.reencryptTenant(tenantId);
    return this.report;
  }

  private async reencryptTenant(tenantId: string): Promise<void> {
    for (let after = FIRST; ;) {
      const rows = await this.session.query(tenantId, NEXT, { after });
      for (const row of rows) await this.reencryptWebhook(tenantId, row);
      const last = rows.at(-1);
      if (!last || rows.length < BATCH) return;
      after = last.id;
    }
  }

  private async reencryptWebhook(tenantId: string, row: EncryptedRow): Promise<void> {
    for (let found: EncryptedRow | undefined = row; found;) {
      const { encrypted, report } = this.reencrypted(tenantId, found);
      if (await this.replace(tenantId, found, encrypted)) {
        this.report.reencrypted += report.reencrypted;
        this.report.current += report.current;
        this.report.forgotten += report.forgotten;
        this.report.failures.push(...report.failures);
        return;
      }
      [found] = await this.session.query(tenantId, AGAIN, { id: row.id });
    }
  }

  /** Encrypts everything of a webhook with the first key. What no key decrypts stays as it is. */
  private reencrypted(tenantId: string, row: EncryptedRow): { encrypted: Encrypted; report: ReencryptionReport } {
    const report: ReencryptionReport = { reencrypted: 0, current: 0, forgotten: 0, failures: [] };
    const context = contextOf({ tenantId, id: row.id });
    const reencrypt = (text: string): string => {
      try {
        const plain = this.cipher.decrypt(text, context);
        const isCurrent = this.cipher.isCurrent(text);
        report[isCurrent ? 'current' : 'reencrypted']++;
        return isCurrent ? text : this.cipher.encrypt(plain, context);
      } catch (error) {
        report.failures.push(`${formatId('wh', row.id)} of ${tenantId}: ${(error as Error).message}`);
        return text;
      }
    };
    const all = row.previousSecrets === null ? [] : (JSON.parse(row.previousSecrets) as PreviousSecret[]);
    const valid = stillValid(all);
    report.forgotten = all.length - valid.length;
    const encrypted = {
      secret: row.secret && reencrypt(row.secret),
      headers: row.headers && reencrypt(row.headers),
      signingKey: row.signingKey && reencrypt(row.signingKey),
      previousSecrets:
        valid.length === 0
          ? null
          : JSON.stringify(valid.map(({ secret, until }) => ({ secret: reencrypt(secret), until }))),
    };
    return { encrypted, report };
  }

  /** Returns false if a request replaced a secret in the meantime. */
  private async replace(
    tenantId: string,
    row: EncryptedRow,
    { secret, headers, signingKey, previousSecrets }: Encrypted,
  ) {
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
