import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';

/** Which tenants a session may enter: one that an OpenID Connect provider began, only those that the provider serves. */
@Injectable()
export class EnteredTenants {
  private readonly served: ReadonlyMap<string, ReadonlySet<string>>;

  constructor({ oidcProviders }: Config) {
    this.served = new Map(oidcProviders.map(({ id, tenants }) => [id, new Set(tenants.map((tenant) => tenant.id))]));
  }

  allows(provider: string | undefined, tenantId: string): boolean {
    return provider === undefined || this.served.get(provider)?.has(tenantId) === true;
  }
}
