import { Injectable } from '@nestjs/common';
import { RateLimitWindows } from '../../access/rate-limit-windows.js';
import { type OwnRate, type OwnRates, WINDOWS } from '../../access/rate-limits.js';
import { Problem } from '../../errors/problem.js';
import { Tenants } from '../../tenants/tenants.js';
import { type CompiledForm, FormSchemas } from '../form-schemas.js';

/**
 * A change of `rate_limit` that another process has made counts after this time at the latest. So a flood of submissions takes no query for each.
 */
const MAX_AGE_MS = 1_000;
/** Forms that are looked up for one address in a minute. The common limit applies to further ones, such as names that somebody guesses. */
const MAX_LOOKUPS = 60;

/** The limits of forms that have `rate_limit`. */
@Injectable()
export class SubmissionLimits implements OwnRates {
  private readonly lookups = new RateLimitWindows();

  constructor(
    private readonly tenants: Tenants,
    private readonly forms: FormSchemas,
  ) {}

  async rateOf(
    { tenant_id: tenantId = '', form_id: name = '' }: Record<string, string>,
    address: string,
  ): Promise<OwnRate | undefined> {
    if (!this.tenants.find(tenantId)) return undefined;
    const form = this.forms.cached(tenantId, name, MAX_AGE_MS) ?? (await this.lookUp(tenantId, name, address));
    const limit = form?.settings.rate_limit;
    return form && limit !== undefined ? { name: `form:${form.id}`, limit, window: 'minute' } : undefined;
  }

  private async lookUp(tenantId: string, name: string, address: string): Promise<CompiledForm | undefined> {
    const [lookups] = this.lookups.count(address, WINDOWS.minute);
    if (lookups > MAX_LOOKUPS) return this.forms.cached(tenantId, name);
    try {
      return await this.forms.named(tenantId, name, -1);
    } catch (error) {
      // The handler reports it.
      if (error instanceof Problem && error.code === 'not_found') return undefined;
      throw error;
    }
  }
}
