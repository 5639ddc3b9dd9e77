import type { Type } from '@nestjs/common';
import type { Request } from 'express';
import { Problem, type ProblemMembers } from '../errors/problem.js';

/** The lengths of the windows in milliseconds, the unit of the throttler. `quarter` is that of an hour. */
export const WINDOWS = { second: 1_000, minute: 60_000, quarter: 900_000, hour: 3_600_000, day: 86_400_000 } as const;

export type Window = keyof typeof WINDOWS;

/** Allows `limit` requests in a window, which begins with the first of them. */
export interface Rate {
  limit: number;
  window: Window;
}

/** The rate of a resource, and the name under which its requests are counted. */
export interface OwnRate extends Rate {
  name: string;
}

/** Finds the rate of the resource that a request names. A provider of the module that has the route. */
export interface OwnRates {
  /** Returns undefined if the resource has no rate of its own. `address` is that of the client. */
  rateOf(path: Request['params'], address: string): Promise<OwnRate | undefined>;
}

/** The limit of a route. Failed requests count too. */
export interface RouteLimit {
  /** Whose requests are counted together. Requests without a key are never counted per key or tenant. */
  per: 'address' | 'key' | 'tenant';
  /** All routes with this name are counted together. It contains no text of a request. */
  name: string;
  limit: number | 'PUBLIC_RATE_LIMIT';
  window: Window;
  /** A resource's own rate counts instead. */
  own?: Type<OwnRates>;
}

const LIMITS = Symbol('rate limits');

/** Limits the requests to a route. A route may have several limits, for example per minute and per day. */
export function RateLimit(limit: RouteLimit): MethodDecorator {
  return (_prototype, _name, { value: handler }: PropertyDescriptor) => {
    Reflect.defineMetadata(LIMITS, [limit, ...limitsOf(handler as object)], handler as object);
  };
}

export function limitsOf(handler: object): readonly RouteLimit[] {
  return (Reflect.getMetadata(LIMITS, handler) as readonly RouteLimit[] | undefined) ?? NONE;
}

const NONE: readonly RouteLimit[] = [];

/** The 429 of a rate that was exceeded. `seconds` is the time until the window ends. */
export function rateExceeded({ limit, window }: Rate, seconds: number): Problem {
  const members = { limit: `requests_per_${window}`, maximum: limit };
  return tooManyRequests(seconds, `The limit of ${limit} requests per ${window} was exceeded.`, members);
}

/** Returns a 429 with `Retry-After` in whole seconds, at least 1. */
export function tooManyRequests(seconds: number, detail: string, members?: ProblemMembers): Problem {
  const headers = { 'Retry-After': String(Math.max(1, Math.ceil(seconds))) };
  return new Problem('rate_limited', detail, undefined, headers, members);
}
