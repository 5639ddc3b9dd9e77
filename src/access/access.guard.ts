import type { IncomingHttpHeaders } from 'node:http';
import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { publicKey } from '../admission/public-key.js';
import { Config } from '../config/config.js';
import { Problem } from '../errors/problem.js';
import type { Caller } from '../http/caller.js';
import { ACCESS_RULE, type AccessRule, type SessionRule } from './access.js';
import { ApiKeys } from './api-keys.js';
import { clientAddress, wholeAddress } from '../http/client-address.js';
import { Cors } from './cors.js';
import { tellsVisitor, visitorAddress } from './visitors.js';
import { FailedAuthentications } from './failed-authentications.js';
import type { Credential, UsableKey } from './usable-key.js';
import { NarrowedAccess } from './narrowing/narrowed-access.js';
import { lacksScope } from './scope-problems.js';
import { SessionCookie } from './session-cookie.js';
import { type Entrance, Sessions } from './sessions.js';

const NO_SCOPES: ReadonlySet<string> = new Set();

/** Allows a request only if the access rule of its route does. A route without a rule refuses every request. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly config: Config,
    private readonly reflector: Reflector,
    private readonly keys: ApiKeys,
    private readonly sessions: Sessions,
    private readonly cookie: SessionCookie,
    private readonly failures: FailedAuthentications,
    private readonly cors: Cors,
    private readonly narrowed: NarrowedAccess,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const rule = this.reflector.get<AccessRule | undefined>(ACCESS_RULE, context.getHandler());
    if (rule?.session) return this.withSession(context, rule.session);
    if (rule && !rule.scopes && !rule.anyKey)
      return rule.visitorScopes && tellsVisitor(request) ? this.forVisitor(context) : true;

    const { authorization } = request.headers;
    const takesCookie = authorization === undefined && !rule?.anyKey;
    const token = takesCookie ? this.cookie.read(request) : undefined;
    if (token !== undefined) return this.inSession(context, token);
    if (authorization === undefined && rule?.exceptPublic) return this.withoutKey(request, http.getResponse());
    const key = bearerToken(authorization);
    const known = key === undefined ? undefined : this.keys.find(key);
    if (!(known instanceof Promise)) return this.withKey(context, known, key);
    return known.then((one) => this.withKey(context, one, key));
  }

  /** Whoever tells the address of a visitor needs a key: it could otherwise be any address, so that no limit would count. */
  private async forVisitor(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const key = bearerToken(request.headers.authorization);
    await this.withKey(context, key === undefined ? undefined : await this.keys.find(key), key);
    request.visitorAddress = visitorAddress(request);
    return true;
  }

  /** Sets the session of a request that concerns no tenant. */
  private async withSession(context: ExecutionContext, rule: SessionRule): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    http.getResponse<Response>().setHeader('Cache-Control', 'no-store');
    const { authorization } = request.headers;
    const token = authorization === undefined ? this.cookie.read(request) : undefined;
    request.session = token === undefined ? undefined : await this.sessions.find(token, clientAddress(request));
    if (!request.session) return this.refuseSession(request, token);
    if (rule === 'of a person' && request.session.personId === undefined) {
      throw new Problem('forbidden', 'This session belongs to an API key, not to a person.');
    }
    return true;
  }

  private inSession(context: ExecutionContext, token: string): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const entrance = this.sessions.enter(token, request.params['tenant_id'], () => clientAddress(request));
    if (!(entrance instanceof Promise)) return this.entered(context, entrance, token);
    return entrance.then((one) => this.entered(context, one, token));
  }

  private entered(context: ExecutionContext, entrance: Entrance, token: string): boolean | Promise<boolean> {
    if (entrance === 'unknown') return this.refuseSession(context.switchToHttp().getRequest(), token);
    if (entrance === 'elsewhere') throw new Problem('forbidden', 'This session does not enter the tenant in the path.');
    return this.admit(context, entrance);
  }

  private withKey(
    context: ExecutionContext,
    known: UsableKey | undefined,
    key: string | undefined,
  ): boolean | Promise<boolean> {
    if (!known) return this.refuse(context.switchToHttp().getRequest(), key);
    return this.admit(context, known);
  }

  private admit(context: ExecutionContext, known: Credential): boolean | Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const rule = this.reflector.get<AccessRule | undefined>(ACCESS_RULE, context.getHandler()) ?? {};
    const { scopes = rule.visitorScopes ?? [] } = rule;
    const { narrowing } = known;
    const caller = request.method === 'GET' || request.method === 'HEAD' ? known.caller : this.author(known, request);
    if (caller.allowedOrigins) this.cors.applyKey(request, http.getResponse(), caller.allowedOrigins);
    if (caller.tenantId !== request.params['tenant_id']) {
      throw new Problem('forbidden', `This API key belongs to ${caller.tenantId}, not to the tenant in the path.`);
    }
    request.caller = caller;
    // Where clients may keep the answer and ask again, handlers say `private, no-cache`.
    http.getResponse<Response>().setHeader('Cache-Control', 'no-store');
    if (rule.anyKey) return true;
    if (rule.oneself !== undefined && request.params[rule.oneself] === caller.actorId) return true;
    if (narrowing) return this.narrowed.admit(request, { ...rule, scopes }, caller, narrowing);
    if (!scopes.some((scope) => caller.scopes.has(scope))) throw lacksScope(scopes, caller.scopes);
    return true;
  }

  /** The caller of a request that may change something. */
  private author({ caller }: Credential, request: Request): Caller {
    const ip = this.config.auditIp ? wholeAddress(request) : null;
    return { ...caller, requestId: request.id, ip, ...request.indirect };
  }

  /** `PublicReadGuard` decides whether the resource is public, when the request has passed its rate limit. */
  private withoutKey(request: Request, response: Response): boolean | Promise<never> {
    // A cache must not return the response to a request with a key or a session.
    response.vary('Authorization, X-Trivet-Console');
    const tenantId = request.params['tenant_id'];
    if (!this.keys.isTenant(tenantId)) return this.refuse(request, undefined);
    request.caller = {
      tenantId,
      credentialId: '',
      scopes: NO_SCOPES,
      publishedOnly: true,
      share: publicKey(tenantId),
      requireKey: () => this.refuse(request, undefined),
    };
    return true;
  }

  /** Someone who asks whether there is a session, and sends no credential, has not failed. */
  private async refuseSession(request: Request, token: string | undefined): Promise<never> {
    if (token !== undefined || request.headers.authorization !== undefined) await this.failures.record(request);
    throw Problem.notSignedIn(token === undefined ? NO_SESSION : 'The session has ended. Sign in again.');
  }

  private async refuse(request: Request, key: string | undefined): Promise<never> {
    await this.failures.record(request);
    const detail = key === undefined ? missingKey(request.headers) : unknownKey(key);
    throw new Problem('unauthorized', detail, undefined, { 'WWW-Authenticate': 'Bearer' });
  }
}

const NO_SESSION = 'A session is required: the cookie that signing in sets, and the header X-Trivet-Console: 1.';
const SEND_KEY = 'Send it in the header Authorization: Bearer <API_KEY>';

function missingKey({ authorization, 'x-api-key': other }: IncomingHttpHeaders): string {
  if (authorization !== undefined)
    return `An API key is required. ${SEND_KEY}, with the word Bearer and a space before the key.`;
  return `An API key is required. ${SEND_KEY}${other === undefined ? '' : ', not in X-API-Key'}.`;
}

function unknownKey(key: string): string {
  const isWrapped = /^["'<{[]|[>"'}\]]$/.test(key);
  const hint = isWrapped
    ? 'Send it without quotation marks and brackets.'
    : 'It may have expired, or it was revoked or removed.';
  return `This API key is unknown. ${hint}`;
}

/** Returns the token of an `Authorization: Bearer` header (RFC 6750). The scheme is not case-sensitive. */
function bearerToken(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /^bearer +(\S+) *$/i.exec(header)?.[1];
}
