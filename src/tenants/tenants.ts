import { Injectable, Logger, OnModuleInit } from '@nestjs/common';
import { Config } from '../config/config.js';
import type { TenantConfig } from '../config/tenants-config.js';
import { Database } from '../database/database.js';
import { serviceStatement } from '../database/statement.js';
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

/** The configured tenants. They are written to their table at the start, with the URL of the service. The row of a removed tenant stays. */
@Injectable()
export class Tenants implements OnModuleInit {
  private readonly logger = new Logger(Tenants.name);
  private readonly configured: ReadonlyMap<string, TenantConfig>;

  constructor(
    private readonly config: Config,
    private readonly database: Database,
  ) {
    this.configured = new Map(config.tenants.map((tenant) => [tenant.id, tenant]));
  }

  async onModuleInit(): Promise<void> {
    const { tenants, port, publicUrl, hasPublicUrl } = this.config;
    // A port that the system chooses is not known yet, and is another one at the next start.
    const urls = port === 0 && !hasPublicUrl ? [] : [withOneLoopback(publicUrl)];
    const rows = { ids: tenants.map(({ id }) => id), names: tenants.map(({ name }) => name), urls };
    await this.database.acrossTenants(WRITE_TENANTS, rows).catch((error: unknown) => {
      if (!isPartAway(error)) throw error;
      // Most starts change no tenant, and the others must not wait for the server.
      this.logger.warn({ err: error }, 'A database server is away; new tenants are written at the next start');
    });
  }

  /** Returns the tenant if it is configured. */
  find(tenantId: string): TenantConfig | undefined {
    return this.configured.get(tenantId);
  }
}
