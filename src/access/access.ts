import { applyDecorators, createParamDecorator, type ExecutionContext, SetMetadata, type Type } from '@nestjs/common';
import { ApiBearerAuth, ApiCookieAuth, ApiExtension, ApiParam, ApiSecurity } from '@nestjs/swagger';
import type { Request } from 'express';
import { isApart } from '../config/scopes.js';
import { ProblemResponses } from '../errors/problem-responses.js';
import type { Caller } from '../http/caller.js';
import type { OpenSession } from '../http/open-session.js';
import { keyScopes } from '../modules/installed-modules.js';
import type { Area } from '../modules/module-manifest.js';
import { RefusesIdempotencyKey, TakesIdempotencyKey } from './idempotency/idempotency-key.js';
import { VisitorHeader } from './visitors.js';

/** `draft` is a part of `write`: changes of what is not live. */
type Right = 'read' | 'write' | 'draft';

/** Whose session a route requires that concerns no tenant. */
export type SessionRule = 'of anybody' | 'of a person';

export interface AccessRule {
  /** A key needs one of these scopes. Undefined on a public route. */
  scopes?: readonly string[];
  /** The area of the scopes. Undefined on a public route. */
  area?: Area;
  /** Without a key, the route returns what is public. */
  exceptPublic?: Type<PublicResources>;
  /** The handler keeps to `Caller.types`. */
  keepsToTypes?: boolean;
  /** Any key of the tenant may call the route, even one without scopes for it. A session may not. */
  anyKey?: boolean;
  /** The route requires a session in the place of a key, and concerns no tenant. */
  session?: SessionRule;
  /** A public route that servers call for visitors: a key with one of these scopes may tell the visitor's address. */
  visitorScopes?: readonly string[];
  /** The path parameter that names a member, who needs no scope if it is the caller. */
  oneself?: string;
}

/** Decides what a request without an API key may read. A provider of the module that has the route. */
export interface PublicResources {
  /** Throws `caller.requireKey` unless the resource that the path names is public. */
  requirePublic(caller: Caller, path: Request['params']): Promise<void>;
}

export const ACCESS_RULE = Symbol('access rule');

/** Lets a key read content types and published entries only, so that a public website can contain the key. */
export const PUBLISHED_ONLY = 'content:read:published';

/** The problems that every route can return. */
const COMMON_PROBLEMS = ['unknown_parameter', 'internal_error', 'unavailable'] as const;

/** Returns the scopes that each grant the whole right in the area. */
export function scopesOf(area: Area, right: Right): string[] {
  const own = `${area}:${right}`;
  if (isApart(area)) return ['*', own];
  return right === 'draft' ? [...scopesOf(area, 'write'), own] : ['*', right, own];
}

function scopesOfAnyArea(right: Right): string[] {
  return [
    '*',
    right,
    ...keyScopes().filter((scope) => scope.endsWith(`:${right}`) && !isApart(scope.slice(0, scope.indexOf(':')))),
  ];
}

/** The scopes that each let a key see and change keys. `write` is not among them: it could otherwise give itself every scope. */
const KEY_SCOPES: readonly string[] = ['*', 'keys:write'];

interface KeyOptions extends Pick<AccessRule, 'exceptPublic' | 'keepsToTypes' | 'oneself'> {
  /** A scope for the right in any area is enough: `forms:read` for a route that reads. */
  inAnyArea?: boolean;
  /** The route changes everything, so only a key with the scope `*` may call it. */
  isWhole?: boolean;
  /** The route reads what is not published, so a key for published entries only is refused. */
  isUnpublished?: boolean;
  /** Why a route that writes refuses an `Idempotency-Key`: it answers a secret, or takes a stream. */
  refusesIdempotencyKey?: string;
}

/**
 * The route requires a key of the tenant in the path, with a scope for this area and right. If it writes, it takes an `Idempotency-Key`. With
 * `exceptPublic`, a request without a key for a public resource gets a `Caller` with `requireKey`. A key that is limited to content types is
 * refused unless the path names one of them (`content_type_id`), or the handler `keepsToTypes`.
 */
export function RequiresKey(
  area: Area,
  right: Right,
  {
    exceptPublic,
    keepsToTypes,
    oneself,
    inAnyArea = false,
    isWhole = false,
    isUnpublished = false,
    refusesIdempotencyKey,
  }: KeyOptions = {},
): MethodDecorator {
  const scopes = isWhole
    ? ['*']
    : area === 'keys'
      ? [...KEY_SCOPES]
      : inAnyArea
        ? scopesOfAnyArea(right)
        : scopesOf(area, right);
  // The content services check `Caller.publishedOnly`.
  if (area === 'content' && right === 'read' && !isUnpublished) scopes.push(PUBLISHED_ONLY);
  return applyDecorators(
    SetMetadata<symbol, AccessRule>(ACCESS_RULE, { scopes, area, exceptPublic, keepsToTypes, oneself }),
    ApiBearerAuth(),
    ...(exceptPublic ? [ApiSecurity({})] : []),
    ApiExtension('x-scopes', scopes),
    TenantParam(),
    ...(right !== 'read'
      ? [refusesIdempotencyKey === undefined ? TakesIdempotencyKey() : RefusesIdempotencyKey(refusesIdempotencyKey)]
      : []),
    ProblemResponses('unauthorized', 'forbidden', 'rate_limited', ...COMMON_PROBLEMS),
  );
}

/**
 * The route requires a key of the tenant in the path, with any scopes. The handler gets a `Caller` that is not limited to content types yet, and shows
 * nothing but what other routes allow.
 */
export const RequiresAnyKey = (): MethodDecorator => SetMetadata<symbol, AccessRule>(ACCESS_RULE, { anyKey: true });

/** The route requires a session, and concerns no tenant. */
export function RequiresSession(session: SessionRule = 'of anybody'): MethodDecorator {
  return applyDecorators(
    SetMetadata<symbol, AccessRule>(ACCESS_RULE, { session }),
    ApiCookieAuth('session'),
    ApiExtension('x-scopes', []),
    ProblemResponses('unauthorized', 'forbidden', 'rate_limited', ...COMMON_PROBLEMS),
  );
}

interface PublicOptions {
  /** A server may send the request for a visitor, with a key that may write in this area. */
  forVisitorsOf?: Area;
}

/** Anyone can call the route. A route with neither this decorator nor `RequiresKey` refuses every request. */
export function Public({ forVisitorsOf: area }: PublicOptions = {}): MethodDecorator {
  const rule: AccessRule = area === undefined ? {} : { area, visitorScopes: scopesOf(area, 'write') };
  return applyDecorators(
    SetMetadata<symbol, AccessRule>(ACCESS_RULE, rule),
    ApiSecurity({}),
    ...(area === undefined ? [] : [VisitorHeader, ProblemResponses('unauthorized', 'forbidden', 'invalid_parameter')]),
    ApiExtension('x-scopes', []),
    ProblemResponses(...COMMON_PROBLEMS),
  );
}

export function TenantParam(): MethodDecorator {
  return ApiParam({
    name: 'tenant_id',
    description:
      'The ID of the tenant. On endpoints that require an API key, it must be the tenant that the key belongs to.',
    schema: { type: 'string', pattern: '^ten_[a-z0-9]{1,40}$', example: 'ten_demo' },
  });
}

/** Injects the session on a route with `RequiresSession`. */
export const WithSession = createParamDecorator((_data: unknown, context: ExecutionContext): OpenSession => {
  const { session } = context.switchToHttp().getRequest<Request>();
  if (!session) throw new Error('A handler requests the session on a route that does not require one.');
  return session;
});

/** Injects the caller on a route that requires an API key. */
export const WithCaller = createParamDecorator((_data: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<Request>();
  if (!caller) throw new Error('A handler requests the caller on a route that does not require an API key.');
  return caller;
});
