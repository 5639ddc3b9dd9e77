import { Injectable } from '@nestjs/common';
import { PublicUrl, withOneLoopback } from '../http/public-url.js';
import { Tenants } from '../tenants/tenants.js';
import type { FormSettings } from './settings/form-settings.js';

/** Decides where a submission may lead a browser. */
@Injectable()
export class Redirects {
  constructor(
    private readonly tenants: Tenants,
    private readonly publicUrl: PublicUrl,
  ) {}

  /** Whether the origin is one of the form, one of the tenant, or that of the service. A tenant's `*` stands for no origin here. */
  mayLeadTo(tenantId: string, settings: FormSettings, origin: string): boolean {
    return (
      settings.redirect_origins?.includes(origin) === true ||
      this.tenants.find(tenantId)?.allowedOrigins?.includes(origin) === true ||
      this.isOwn(origin)
    );
  }

  /** Whether the origin is that of the service, and so of the pages that show forms. */
  isOwn(origin: string | undefined): boolean {
    const { origin: own } = new URL(this.publicUrl.base);
    return origin !== undefined && withOneLoopback(origin) === withOneLoopback(own);
  }
}
