import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Config } from '../config/config.js';
import type { TenantConfig } from '../config/tenants-config.js';

/** Origins whose pages may read a response, any if it contains `*`. Undefined: any. */
type Origins = ReadonlySet<string> | undefined;

/** A tenant's origins: for its own list, and for preflights, which do not tell the key that the request will have. */
interface TenantOrigins {
  own: Origins;
  ofAnyKey: Origins;
}

interface PublicRoute {
  method: 'GET' | 'POST';
  path: RegExp;
}

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
/** Headers that a page may read, besides the few that browsers always show. */
const EXPOSED =
  'ETag, Location, Retry-After, X-Request-Id, Accept-Ranges, Content-Range, Content-Disposition, Idempotency-Replayed, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, RateLimit-Policy';
/** In seconds. Browsers limit it to two hours or a day. */
const PREFLIGHT_MAX_AGE = '86400';
const TENANT_OF_PATH = /^\/(?:v1\/[^/]+|mcp)\/([^/]+)/;
const API_PATH = /^\/(?:v1|mcp)\//;

/**
 * Lets pages of other origins use the API (Fetch standard, CORS protocol), without credentials unless it is the console: pages of the tenant's `allowed_origins`,
 * or of any origin if the tenant has no such list. A key may have its own list (`applyKey`). Runs before the guards, so that pages can read refusals too.
 *
 * Other origins get no CORS headers, so their pages cannot read the response. The request itself is not refused: programs and proxies may
 * send any `Origin`.
 */
@Injectable()
export class Cors {
  private readonly byTenant: ReadonlyMap<string, TenantOrigins>;
  private readonly publicRoutes: PublicRoute[] = [];
  /** The origin of the console, if it is not that of the service: its requests have the cookie of a session. */
  private readonly consoleOrigin: string | undefined;

  constructor({ tenants, consoleUrl, publicUrl }: Config) {
    const ofService = new URL(publicUrl).origin;
    this.consoleOrigin = consoleUrl === ofService ? undefined : consoleUrl;
    this.byTenant = new Map(tenants.map((tenant) => [tenant.id, originsOf(tenant)]));
  }

  /**
   * Lets pages of any origin call a route that requires no key, also one outside of `/v1`. Its preflights are the same for every tenant. They do
   * not tell whether a tenant exists or which origins it allows.
   */
  allowAnyOrigin(method: PublicRoute['method'], path: RegExp): void {
    this.publicRoutes.push({ method, path });
  }

  /** Applies the origins of the request's key instead of the tenant's. */
  applyKey(request: Request, response: Response, origins: ReadonlySet<string>): void {
    if (request.headers.origin !== undefined) this.allow(request, response, origins);
  }

  /** Whether pages of this origin may read the response, whose headers say so. */
  admits(origin: string, response: Response): boolean {
    const allowed = response.getHeader('Access-Control-Allow-Origin');
    return allowed === '*' || allowed === origin;
  }

  readonly middleware = (request: Request, response: Response, next: NextFunction): void => {
    const { origin, authorization } = request.headers;
    const isApi = API_PATH.test(request.path);
    // A request with a key but without an origin comes from a program, which needs no CORS headers. A request without a key gets them even
    // without an origin, because a cache may return the response to a page later.
    if (isApi ? origin === undefined && authorization !== undefined : !this.isPublic(request)) return next();
    const asked = request.headers['access-control-request-method'];
    if (request.method === 'OPTIONS') return this.preflight(request, response, next, asked);
    this.allow(request, response, this.isPublic(request) ? undefined : this.originsOf(request)?.own);
    response.setHeader('Access-Control-Expose-Headers', EXPOSED);
    next();
  };

  private preflight(request: Request, response: Response, next: NextFunction, asked: string | undefined): void {
    const route = this.publicRouteOf(request, asked);
    // A plain OPTIONS request gets the methods of the path in `Allow`.
    if (!route && asked === undefined) return next();
    this.allow(request, response, route ? undefined : this.originsOf(request)?.ofAnyKey);
    response.vary('Access-Control-Request-Headers');
    response.setHeader('Access-Control-Allow-Methods', route ? methodsOf(route).join(', ') : METHODS);
    // Allow all headers that the page asks for: tracing libraries add their own.
    const headers = request.headers['access-control-request-headers'];
    response.setHeader('Access-Control-Allow-Headers', headers || 'Authorization, Content-Type, Idempotency-Key');
    response.setHeader('Access-Control-Max-Age', PREFLIGHT_MAX_AGE);
    response.statusCode = 204;
    response.end();
  }

  private allow(request: Request, response: Response, origins: Origins): void {
    const { origin } = request.headers;
    const isConsole = origin !== undefined && origin === this.consoleOrigin;
    allow(request, response, isConsole ? new Set([origin]) : origins);
    if (isConsole) response.setHeader('Access-Control-Allow-Credentials', 'true');
  }

  private isPublic(request: Request): boolean {
    const { method, headers } = request;
    return (
      this.publicRouteOf(request, method === 'OPTIONS' ? headers['access-control-request-method'] : method) !==
      undefined
    );
  }

  /** Without a method, any route at the path. */
  private publicRouteOf({ path }: Request, method: string | undefined): PublicRoute | undefined {
    return this.publicRoutes.find((route) => (!method || methodsOf(route).includes(method)) && route.path.test(path));
  }

  private originsOf({ path }: Request): TenantOrigins | undefined {
    const tenantId = TENANT_OF_PATH.exec(path)?.[1];
    // The router decodes the path too. `identify` has replaced encodings that cannot be decoded.
    return tenantId === undefined ? undefined : this.byTenant.get(decodeURIComponent(tenantId));
  }
}

function methodsOf({ method }: PublicRoute): readonly string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

function allow(request: Request, response: Response, origins: Origins): void {
  if (!origins || origins.has('*')) return void response.setHeader('Access-Control-Allow-Origin', '*');
  const { origin } = request.headers;
  response.vary('Origin');
  if (origin !== undefined && origins.has(origin)) response.setHeader('Access-Control-Allow-Origin', origin);
  else response.removeHeader('Access-Control-Allow-Origin');
}

function originsOf({ allowedOrigins, apiKeys }: TenantConfig): TenantOrigins {
  const lists = apiKeys.map((key) => key.allowedOrigins ?? allowedOrigins);
  // For requests without a key.
  if (allowedOrigins) lists.push(allowedOrigins);
  return {
    own: allowedOrigins && new Set(allowedOrigins),
    ofAnyKey: lists.includes(undefined) ? undefined : new Set(lists.flatMap((list) => list ?? [])),
  };
}
