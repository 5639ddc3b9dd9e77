import { ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { type ThrottlerModuleOptions, ThrottlerGuard, type ThrottlerLimitDetail } from '@nestjs/throttler';
import type { Request } from 'express';
import type { Config } from '../config/config.js';
import { clientAddress } from '../http/client-address.js';
import { type AddressLimit, LIMITED_BY_ADDRESS, MINUTE, type RouteLimit, tooManyRequests } from './rate-limits.js';

/**
 * The throttler `address` limits routes marked `@LimitedByAddress`, `public` limits the addresses that read without a key, `key` limits
 * each key of tenants that set a `rate_limit`, and `tenant` limits all keys of a tenant that has `requests_per_minute`. The name of a counter never contains text from a body or a header.
 */
export const throttlersOf = ({ publicRateLimit }: Config): ThrottlerModuleOptions & object => ({
  throttlers: [
    {
      name: 'address',
      ttl: MINUTE,
      blockDuration: 0,
      limit: (context) => addressLimit(context)?.limit ?? publicRateLimit,
      skipIf: (context) => addressLimit(context) === undefined,
      getTracker: (request) => clientAddress(request as Request),
      generateKey: (context, tracker) => `${addressLimit(context)?.name}:${tracker}`,
    },
    {
      name: 'public',
      ttl: MINUTE,
      blockDuration: 0,
      limit: publicRateLimit,
      skipIf: (context) => requestOf(context).caller?.requireKey === undefined,
      getTracker: (request) => clientAddress(request as Request),
      generateKey: (_context, tracker) => `public:${tracker}`,
    },
    {
      name: 'key',
      ttl: MINUTE,
      blockDuration: 0,
      limit: (context) => requestOf(context).caller?.rateLimit ?? 0,
      skipIf: (context) => requestOf(context).caller?.rateLimit === undefined,
      getTracker: (request) => (request as Request).caller?.keyId ?? '',
      generateKey: (_context, tracker) => `key:${tracker}`,
    },
    {
      name: 'tenant',
      ttl: MINUTE,
      blockDuration: 0,
      limit: (context) => requestOf(context).caller?.tenantRateLimit ?? 0,
      skipIf: (context) => requestOf(context).caller?.tenantRateLimit === undefined,
      getTracker: (request) => (request as Request).caller?.tenantId ?? '',
      generateKey: (_context, tracker) => `tenant:${tracker}`,
    },
  ],
  // A response says how long to wait, and nothing about the configuration of the limiter.
  setHeaders: false,
});

/** The limits of resources, by the requests that name them. */
const ownLimits = new WeakMap<Request, AddressLimit>();

function routeLimit(context: ExecutionContext): RouteLimit | undefined {
  return Reflect.getMetadata(LIMITED_BY_ADDRESS, context.getHandler()) as RouteLimit | undefined;
}

function addressLimit(context: ExecutionContext): AddressLimit | undefined {
  const limit = routeLimit(context);
  return (limit?.own && ownLimits.get(requestOf(context))) ?? limit;
}

function requestOf(context: ExecutionContext): Request {
  return context.switchToHttp().getRequest<Request>();
}

/** Runs after the access guard, which sets the caller. */
@Injectable()
export class RateLimitGuard extends ThrottlerGuard {
  @Inject(ModuleRef) private readonly modules!: ModuleRef;

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const own = routeLimit(context)?.own;
    if (own) {
      const request = requestOf(context);
      const limit = await this.modules.get(own, { strict: false }).limitOf(request.params, clientAddress(request));
      if (limit) ownLimits.set(request, limit);
    }
    return super.canActivate(context);
  }

  /** Most requests have no limit and skip the loop over the throttlers. */
  protected override shouldSkip(context: ExecutionContext): Promise<boolean> {
    const { caller } = requestOf(context);
    const isLimited = caller?.rateLimit ?? caller?.tenantRateLimit ?? caller?.requireKey;
    return Promise.resolve(isLimited === undefined && !addressLimit(context));
  }

  protected override throwThrottlingException(
    _context: ExecutionContext,
    { limit, timeToExpire }: ThrottlerLimitDetail,
  ): Promise<void> {
    const members = { limit: 'requests_per_minute', maximum: limit };
    throw tooManyRequests(timeToExpire, `The limit of ${limit} requests per minute was exceeded.`, members);
  }
}
