import type { IncomingMessage } from 'node:http';
import type { Type } from '@nestjs/common';
import type { Request } from 'express';
import { Problem } from '../../errors/problem.js';

/** How a route treats the header `Idempotency-Key`. */
export interface IdempotencyRule {
  /** Why the route refuses the header. */
  refusal?: string;
  /** The keys belong to a resource instead of the tenant. */
  owner?: Type<KeyOwner>;
}

/** Finds the resource that the keys of a route belong to. A provider of the module that has the route. */
export interface KeyOwner {
  /** Returns the ID of the resource that the path names. Throws a 404 if it does not exist. */
  ownerOfKeys(tenantId: string, path: Request['params']): Promise<string>;
}

export const IDEMPOTENCY_RULE = Symbol('idempotency rule');

/** Returns the key of the request; undefined if it has none. Throws a 400 if it is not valid. */
export function readIdempotencyKey({ headers }: IncomingMessage): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  // Node joins a repeated header with a comma and a space.
  if (typeof key === 'string' && /^[!-~]{1,255}$/.test(key)) return key;
  const message = 'Idempotency-Key must be sent once, with 1 to 255 visible ASCII characters and without spaces.';
  throw Problem.parameter('Idempotency-Key', message);
}
