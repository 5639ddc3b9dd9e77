import { SetMetadata } from '@nestjs/common';
import { Problem } from '../errors/problem.js';

/** In milliseconds, as the throttler counts. */
export const MINUTE = 60_000;

export const LIMITED_BY_ADDRESS = Symbol('limited by address');

/** Requests a minute that one client address may send to all routes that share `name`, whether they succeed or not. */
export interface AddressLimit {
  name: string;
  limit: number;
}

export function LimitedByAddress(limit: AddressLimit): MethodDecorator {
  return SetMetadata(LIMITED_BY_ADDRESS, limit);
}

/** 429 with `Retry-After` in whole seconds, at least one. */
export function tooManyRequests(seconds: number, detail: string): Problem {
  return new Problem('rate_limited', detail, undefined, { 'Retry-After': String(Math.max(1, Math.ceil(seconds))) });
}
