import { Injectable } from '@nestjs/common';
import type { ValueError } from '../errors/problem.js';
import type { ValueErrorCode } from '../errors/value-errors.js';
import { faultOfHttpUrl } from '../fields/formats/url.js';
import type { SentForm } from '../http/bodies/form-body.js';
import { PublicUrl, withOneLoopback } from '../http/public-url.js';
import { Tenants } from '../tenants/tenants.js';
import { REDIRECT } from './pages/submitted-values.js';
import type { FormSettings } from './settings/form-settings.js';

/** Decides where a submission may lead a browser. */
@Injectable()
export class Redirects {
  constructor(
    private readonly tenants: Tenants,
    private readonly publicUrl: PublicUrl,
  ) {}

  /** Returns why the `_redirect` of a form is refused, if it is. */
  faultsOf(tenantId: string, settings: FormSettings, { parts }: SentForm): ValueError[] {
    const redirect = parts.get(REDIRECT)?.[0];
    return redirect ? this.faultsOfUrl(tenantId, settings, redirect) : [];
  }

  /** Refuses every URL that a browser could read as one of another origin than the service does. */
  faultsOfUrl(tenantId: string, settings: FormSettings, url: string): ValueError[] {
    const reason = faultOfHttpUrl(url);
    if (reason !== undefined) return fault('format', `must be an absolute http or https URL: ${reason}`);
    const { origin, username, password } = new URL(url);
    if (username !== '' || password !== '') return fault('format', 'must not contain a user name or a password');
    if (this.mayLeadTo(tenantId, settings, origin)) return [];
    return fault('origin', 'must lead to an origin that the form allows');
  }

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

function fault(code: ValueErrorCode, message: string): ValueError[] {
  return [{ path: REDIRECT, code, message: `${REDIRECT} ${message}.` }];
}
