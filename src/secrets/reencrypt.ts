import type pg from 'pg';
import type { Executor } from '../database/transaction.js';
import type { Statement } from '../database/statements/statement.js';
import { formatId } from '../ids/type-id.js';
import type { EncryptedTable, IdPrefix } from '../modules/module-manifest.js';
import { type EncryptedRow, reencryptionStatements, replacement } from './encrypted-table.sql.js';
import type { SecretCipher } from './secret-cipher.js';

/** Reads all tenants, because the secrets of each are reencrypted. */
const TENANTS = 'SELECT id FROM tenants ORDER BY id';

const FIRST = '00000000-0000-0000-0000-000000000000';

interface ReencryptionReport {
  /** Number of texts that were reencrypted with the first key. */
  reencrypted: number;
  /** Number of texts that were encrypted with the first key already. */
  current: number;
  /** Number of expired secrets that were removed. */
  forgotten: number;
  /** A line for each text that could not be decrypted, with its row and the reason. */
  failures: string[];
}

/** An element of an encrypted list. */
interface Listed {
  secret: string;
  until: string;
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

/** Encrypts everything that is encrypted in the tables with the first key of the cipher, while the service runs. */
export class Reencryption {
  private readonly report: ReencryptionReport = { reencrypted: 0, current: 0, forgotten: 0, failures: [] };

  constructor(
    private readonly session: Pick<ReencryptionSession, 'query' | 'tenants'>,
    private readonly tables: readonly EncryptedTable[],
    private readonly cipher: SecretCipher,
  ) {}

  async run(): Promise<ReencryptionReport> {
    const tenants = await this.session.tenants();
    for (const table of this.tables) {
      const statements = reencryptionStatements(table);
      for (const tenantId of tenants) await this.reencryptTenant(tenantId, table, statements);
    }
    return this.report;
  }

  private async reencryptTenant(
    tenantId: string,
    table: EncryptedTable,
    statements: ReturnType<typeof reencryptionStatements>,
  ): Promise<void> {
    for (let after = FIRST; ;) {
      const rows = await this.session.query(tenantId, statements.next, { after });
      for (const row of rows) await this.reencryptRow(tenantId, table, statements, row);
      const last = rows.at(-1);
      if (!last || rows.length < statements.batch) return;
      after = last.id;
    }
  }

  private async reencryptRow(
    tenantId: string,
    table: EncryptedTable,
    { again, replace }: ReturnType<typeof reencryptionStatements>,
    row: EncryptedRow,
  ): Promise<void> {
    for (let found: EncryptedRow | undefined = row; found;) {
      const { texts, report } = this.reencrypted(tenantId, table, found);
      const old: EncryptedRow['texts'] = found.texts;
      const isSame = texts.every((text, index) => text === old[index]);
      // A request may have replaced a text in the meantime.
      if (isSame || (await this.session.query(tenantId, replace, replacement(row.id, old, texts))).length > 0) {
        this.report.reencrypted += report.reencrypted;
        this.report.current += report.current;
        this.report.forgotten += report.forgotten;
        this.report.failures.push(...report.failures);
        return;
      }
      [found] = await this.session.query(tenantId, again, { id: row.id });
    }
  }

  /** Encrypts all texts of a row with the first key. What no key decrypts stays as it is. */
  private reencrypted(tenantId: string, { prefix, columns }: EncryptedTable, { id, texts }: EncryptedRow) {
    const report: ReencryptionReport = { reencrypted: 0, current: 0, forgotten: 0, failures: [] };
    const context = `${tenantId}/${id}`;
    const reencrypt = (text: string): string => {
      try {
        const plain = this.cipher.decrypt(text, context);
        const isCurrent = this.cipher.isCurrent(text);
        report[isCurrent ? 'current' : 'reencrypted']++;
        return isCurrent ? text : this.cipher.encrypt(plain, context);
      } catch (error) {
        report.failures.push(`${formatId(prefix as IdPrefix, id)} of ${tenantId}: ${(error as Error).message}`);
        return text;
      }
    };
    const reencryptList = (json: string): string | null => {
      const all = JSON.parse(json) as Listed[];
      const valid = all.filter(({ until }) => Date.parse(until) > Date.now());
      report.forgotten += all.length - valid.length;
      if (valid.length === 0) return null;
      return JSON.stringify(valid.map(({ secret, until }) => ({ secret: reencrypt(secret), until })));
    };
    const encrypted = texts.map(
      (text, index) => text && (index < columns.length ? reencrypt(text) : reencryptList(text)),
    );
    return { texts: encrypted, report };
  }
}
