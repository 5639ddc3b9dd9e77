import { Injectable, OnModuleInit } from '@nestjs/common';
import { InjectEntityManager } from '@nestjs/typeorm';
import { EntityManager } from 'typeorm';
import { Config } from '../config/config.js';
import type { TenantConfig } from '../config/tenants-config.js';
import { Tenant } from './tenant.entity.js';

/** The tenants of the configuration. At boot they are written to their table, where the rows of those that left stay. */
@Injectable()
export class Tenants implements OnModuleInit {
  private readonly configured: ReadonlyMap<string, TenantConfig>;

  constructor(
    private readonly config: Config,
    @InjectEntityManager() private readonly manager: EntityManager,
  ) {
    this.configured = new Map(config.tenants.map((tenant) => [tenant.id, tenant]));
  }

  async onModuleInit(): Promise<void> {
    const rows = this.config.tenants.map(({ id, name }) => ({ id, name, createdAt: new Date() }));
    if (rows.length === 0) return;
    await this.manager
      .createQueryBuilder()
      .insert()
      .into(Tenant)
      .values(rows)
      .orUpdate(['name'], ['id'])
      .updateEntity(false)
      .execute();
  }

  /** The tenant if the configuration has it now. */
  find(tenantId: string): TenantConfig | undefined {
    return this.configured.get(tenantId);
  }
}
