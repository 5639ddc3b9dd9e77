import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { Executor } from '../database/transaction.js';
import { type NoParameters, statement } from '../database/statements/statement.js';
import { PublicUrl, withOneLoopback } from '../http/public-url.js';
import { Tenants } from './tenants.js';

const EARLIER = statement<{ bases: readonly string[] }, { base: string }>()(
  'tenants.public_urls',
  'SELECT unnest(public_urls) AS base FROM tenants WHERE id = :tenantId AND public_urls && :bases::text[]',
);

const ALL = statement<NoParameters, { base: string }>()(
  'tenants.all_public_urls',
  'SELECT unnest(public_urls) AS base FROM tenants WHERE id = :tenantId',
);

/** Knows the base URLs under which the service gave URLs of a tenant's files: that of today and earlier ones (`Tenants` records them). */
@Injectable()
export class FileUrls {
  constructor(
    private readonly database: Database,
    private readonly publicUrl: PublicUrl,
    private readonly tenants: Tenants,
  ) {}

  /** The base of the URLs in responses. */
  get base(): string {
    return this.publicUrl.base;
  }

  /** Differs if the URLs of the tenant's files do. Empty for those with which it began, as for most tenants. */
  tagOf(tenantId: string): string {
    return this.tenants.hasMoved(tenantId) ? createHash('sha1').update(this.base).digest('hex').slice(0, 8) : '';
  }

  /** Whether the base is the present one, or what is left of it in a path of the service. */
  isCurrent(base: string): boolean {
    const { publicUrl } = this;
    return base === '' || withOneLoopback(base) === withOneLoopback(publicUrl.base) || base === publicUrl.basePath;
  }

  /** Returns those of the bases that the service has or had. Only for one that is not the present one, the database is asked. */
  async known(tenantId: string, bases: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const others = [...bases].filter((base) => !this.isCurrent(base));
    if (others.length === 0) return bases;
    const rows = await this.database.query(tenantId, EARLIER, { bases: others.map(withOneLoopback) });
    const earlier = new Set(rows.map(({ base }) => base));
    return new Set([...bases].filter((base) => this.isCurrent(base) || earlier.has(withOneLoopback(base))));
  }

  /** Returns a function that tells whether the service has or had a base, for code that cannot wait for each. */
  async knownBy(executor: Executor, tenantId: string): Promise<(base: string) => boolean> {
    const rows = await executor.query(tenantId, ALL, {});
    const earlier = new Set(rows.map(({ base }) => base));
    return (base) => this.isCurrent(base) || earlier.has(withOneLoopback(base));
  }
}
