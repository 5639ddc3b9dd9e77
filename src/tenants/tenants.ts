import { Injectable, Logger, OnModuleInit } from '@nestjs/common';
import { Config } from '../config/config.js';
import type { TenantConfig } from '../config/tenants-config.js';
import { Database } from '../database/database.js';
import { DatabaseServers } from '../database/servers/database-servers.js';
import { serviceStatement } from '../database/statements/statement.js';
import { isPartAway } from '../errors/database-problem.js';
import { withOneLoopback } from '../http/public-url.js';

/** The earlier URLs that are remembered. */
const MAX_URLS = 100;

const WRITE_TENANTS = serviceStatement<
  { ids: readonly string[]; names: readonly string[]; urls: readonly string[] },
  never
>()(
  'tenants.write',
  `INSERT INTO tenants AS t (id, name, public_urls, created_at)
    SELECT id, name, :urls::text[], now() FROM unnest(:ids::text[], :names::text[]) AS configured (id, name)
    ON CONFLICT (id) DO UPDATE SET name = excluded.name, public_urls = CASE
        WHEN t.public_urls @> excluded.public_urls THEN t.public_urls
        ELSE (excluded.public_urls || t.public_urls)[1 : ${MAX_URLS}] END
      WHERE t.name <> excluded.name OR NOT t.public_urls @> excluded.public_urls`,
);

/** The tenants whose files had other URLs when the service had its first one. */
const MOVED = serviceStatement<{ ids: readonly string[]; url: string }, { id: string }>()(
  'tenants.moved',
  `SELECT id FROM tenants
    WHERE id = ANY (:ids::text[]) AND cardinality(public_urls) > 1 AND public_urls[cardinality(public_urls)] <> :url`,
);

/** The configured tenants. They are written to their table at the start, with the URL of the service. The row of a removed tenant stays. */
@Injectable()
export class Tenants implements OnModuleInit {
  private readonly logger = new Logger(Tenants.name);
  /** Tenants that this process has not written yet. */
  private readonly unwritten: Set<TenantConfig>;
  private readonly moved = new Set<string>();
  private readonly configured: ReadonlyMap<string, TenantConfig>;

  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly servers: DatabaseServers,
  ) {
    this.unwritten = new Set(config.tenants);
    this.configured = new Map(config.tenants.map((tenant) => [tenant.id, tenant]));
  }

  async onModuleInit(): Promise<void> {
    this.servers.onChange(() => void this.write().catch((err: unknown) => this.warn(err)));
    await this.write();
  }

  /** Writes the tenants whose server answers. Most starts change no tenant, so the others are written when theirs does. */
  private async write(): Promise<void> {
    const present = [...this.unwritten].filter(({ id }) => !this.servers.isAway(id));
    const ids = present.map(({ id }) => id);
    const { port, publicUrl, hasPublicUrl } = this.config;
    // A port that the system chooses is not known yet, and is another one at the next start.
    const [url] = port === 0 && !hasPublicUrl ? [] : [withOneLoopback(publicUrl)];
    const urls = url === undefined ? [] : [url];
    const rows = { ids, names: present.map(({ name }) => name), urls };
    try {
      if (ids.length > 0) await this.database.acrossTenants(WRITE_TENANTS, rows, ids);
      if (ids.length > 0 && url !== undefined) {
        for (const { id } of await this.database.acrossTenants(MOVED, { ids, url }, ids)) this.moved.add(id);
      }
      for (const tenant of present) this.unwritten.delete(tenant);
    } catch (error) {
      if (!isPartAway(error)) throw error;
    }
    if (this.unwritten.size > 0) this.warn();
  }

  private warn(err?: unknown): void {
    const tenants = this.unwritten.size;
    this.logger.warn({ err, tenants }, 'A database server is away; its tenants are taken up when it is back');
  }

  /** Whether `PUBLIC_URL` is not the one with which the tenant began. */
  hasMoved(tenantId: string): boolean {
    return this.moved.has(tenantId);
  }

  /** Returns the tenant if it is configured. */
  find(tenantId: string): TenantConfig | undefined {
    return this.configured.get(tenantId);
  }
}
