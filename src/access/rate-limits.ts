import { SetMetadata, type Type } from '@nestjs/common';
import type { Request } from 'express';
import { Problem, type ProblemMembers } from '../errors/problem.js';

/** In milliseconds, the unit of the throttler. */
export const MINUTE = 60_000;

export const LIMITED_BY_ADDRESS = Symbol('limited by address');

/** Limits the requests per minute of one client address to all routes that share `name`. Failed requests count too. */
export interface AddressLimit {
  name: string;
  /** Undefined: `PUBLIC_RATE_LIMIT`. With the name `public`, all requests without a key are counted together. */
  limit?: number;
}

/** Finds the limit of the resource that a request names. A provider of the module that has the route. */
export interface OwnAddressLimit {
  /** Returns undefined if the resource has no limit of its own. `address` is that of the client. */
  limitOf(path: Request['params'], address: string): Promise<AddressLimit | undefined>;
}

/** The limit of a route, which the resource that a request names may replace. */
export interface RouteLimit extends AddressLimit {
  own?: Type<OwnAddressLimit>;
}

export function LimitedByAddress(limit: RouteLimit): MethodDecorator {
  return SetMetadata(LIMITED_BY_ADDRESS, limit);
}

/** Returns a 429 with `Retry-After` in whole seconds, at least 1. */
export function tooManyRequests(seconds: number, detail: string, members?: ProblemMembers): Problem {
  const headers = { 'Retry-After': String(Math.max(1, Math.ceil(seconds))) };
  return new Problem('rate_limited', detail, undefined, headers, members);
}
