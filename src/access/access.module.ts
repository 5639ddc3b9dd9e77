import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ThrottlerModule } from '@nestjs/throttler';
import { Config } from '../config/config.js';
import { RedisOutage } from '../redis/redis-outage.js';
import { ParametersGuard } from '../http/parameters.guard.js';
import { AccessGuard } from './access.guard.js';
import { AdmissionGuard } from './admission.guard.js';
import { ApiKeys } from './api-keys.js';
import { Cors } from './cors.js';
import { FailedAuthentications } from './failed-authentications.js';
import { LastingRequests } from './lasting-requests.js';
import { NarrowedAccess } from './narrowing/narrowed-access.js';
import { PublicReadGuard } from './public-read.guard.js';
import { PublicUrl } from '../http/public-url.js';
import { SessionCookie } from './session-cookie.js';
import { RateLimitGuard } from './rate-limit.guard.js';
import { RateLimitStorage } from './rate-limit-storage.js';
import { RateLimiter } from './rate-limiter.js';
import { WINDOWS } from './rate-limits.js';
import { AdmissionModule } from '../admission/admission.module.js';

/**
 * API keys, scopes and rate limits. The guards run in this order on every route. They are in one module because Nest orders the
 * guards of different modules by import order.
 */
@Module({
  imports: [
    AdmissionModule,
    ThrottlerModule.forRootAsync({
      inject: [Config, RedisOutage],
      useFactory: (config: Config, outage: RedisOutage) => ({
        // The guard counts towards the limits of each request.
        throttlers: [{ limit: config.publicRateLimit, ttl: WINDOWS.minute }],
        // A response says how long to wait, and nothing about the configuration of the limiter.
        setHeaders: false,
        storage: new RateLimitStorage(config, outage),
      }),
    }),
  ],
  providers: [
    ApiKeys,
    Cors,
    FailedAuthentications,
    LastingRequests,
    NarrowedAccess,
    PublicUrl,
    RateLimiter,
    SessionCookie,
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_GUARD, useClass: RateLimitGuard },
    { provide: APP_GUARD, useClass: AdmissionGuard },
    { provide: APP_GUARD, useClass: PublicReadGuard },
    { provide: APP_GUARD, useClass: ParametersGuard },
  ],
  exports: [ApiKeys, Cors, FailedAuthentications, LastingRequests, NarrowedAccess, RateLimiter, SessionCookie],
})
export class AccessModule {}
