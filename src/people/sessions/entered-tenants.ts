import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';

/** Which of the tenants of a person there are, and which of these a session enters: one that a provider began, only those that it serves. */
@Injectable()
export class EnteredTenants {
  private readonly served: ReadonlyMap<string, ReadonlySet<string>>;
  private readonly tenantIds: ReadonlySet<string>;

  constructor({ oidcProviders, tenants: configured }: Config) {
    this.tenantIds = new Set(configured.map(({ id }) => id));
    this.served = new Map(oidcProviders.map(({ id, tenants }) => [id, new Set(tenants.map((tenant) => tenant.id))]));
  }

  /** Returns those of the tenants that the configuration has, in the order in which they are locked (see `AccessChanges`). */
  configured(tenantIds: readonly string[]): string[] {
    return tenantIds.filter((id) => this.tenantIds.has(id)).sort();
  }

  allows(provider: string | undefined, tenantId: string): boolean {
    return provider === undefined || this.served.get(provider)?.has(tenantId) === true;
  }
}
