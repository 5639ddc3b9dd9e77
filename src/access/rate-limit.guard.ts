import { type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { ThrottlerGuard, type ThrottlerLimitDetail } from '@nestjs/throttler';
import type { Request } from 'express';
import { Config } from '../config/config.js';
import { clientAddress } from '../http/client-address.js';
import { limitsOf, type Rate, rateExceeded, type RouteLimit, type Window, WINDOWS } from './rate-limits.js';

/** A rate that a request counts towards. The key contains no text of a body or a header, so that nobody can choose another counter. */
interface CountedRate extends Rate {
  key: string;
}

/**
 * Counts a request towards the limits of its route (`@RateLimit`), the one of its address if it reads without a key, the one that its tenant
 * sets for each key (`rate_limit`), and the one of the tenant for all keys (`requests_per_minute`). Runs after the access guard, which sets
 * the caller.
 */
@Injectable()
export class RateLimitGuard extends ThrottlerGuard {
  @Inject(ModuleRef) private readonly modules!: ModuleRef;
  @Inject(Config) private readonly config!: Config;

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    for (const limit of limitsOf(context.getHandler())) {
      const rate = await this.rateOfRoute(limit, request);
      if (rate) await this.count(context, rate);
    }
    for (const rate of this.ratesOfCaller(request)) await this.count(context, rate);
    return true;
  }

  /** Returns undefined if the requests of this caller are not counted. */
  private async rateOfRoute({ per, own, ...limit }: RouteLimit, request: Request): Promise<CountedRate | undefined> {
    const who = countedAs(per, request);
    if (!who) return undefined;
    const found =
      own && (await this.modules.get(own, { strict: false }).rateOf(request.params, clientAddress(request)));
    const { name, window, limit: maximum } = found ?? limit;
    return this.rate(`${name}:${who}`, maximum, window);
  }

  private ratesOfCaller(request: Request): CountedRate[] {
    const { caller, indirect } = request;
    // The request that the client sent was counted.
    if (!caller || indirect) return [];
    const rates: CountedRate[] = [];
    const { requireKey, rateLimit, tenantRateLimit, credentialId, tenantId } = caller;
    if (requireKey) rates.push(this.rate(`public:${clientAddress(request)}`, 'PUBLIC_RATE_LIMIT', 'minute'));
    if (rateLimit !== undefined) rates.push(this.rate(`key:${credentialId}`, rateLimit, 'minute'));
    if (tenantRateLimit !== undefined) rates.push(this.rate(`tenant:${tenantId}`, tenantRateLimit, 'minute'));
    return rates;
  }

  private rate(key: string, limit: RouteLimit['limit'], window: Window): CountedRate {
    return { key, limit: limit === 'PUBLIC_RATE_LIMIT' ? this.config.publicRateLimit : limit, window };
  }

  private async count(context: ExecutionContext, { key, limit, window }: CountedRate): Promise<void> {
    const ttl = WINDOWS[window];
    await this.handleRequest({
      context,
      limit,
      ttl,
      blockDuration: 0,
      throttler: { name: window, limit, ttl },
      getTracker: () => Promise.resolve(key),
      generateKey: (_context, tracker) => tracker,
    });
  }

  protected override throwThrottlingException(
    _context: ExecutionContext,
    { limit, ttl, timeToExpire }: ThrottlerLimitDetail,
  ): Promise<void> {
    const window = (Object.keys(WINDOWS) as Window[]).find((name) => WINDOWS[name] === ttl) ?? 'minute';
    throw rateExceeded({ limit, window }, timeToExpire);
  }
}

function countedAs(per: RouteLimit['per'], request: Request): string | undefined {
  switch (per) {
    case 'address':
      return clientAddress(request);
    case 'key':
      return request.caller?.credentialId;
    case 'tenant':
      return request.caller?.requireKey ? undefined : request.caller?.tenantId;
  }
}
