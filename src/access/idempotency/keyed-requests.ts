import type { CallHandler } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { BodyLimits } from '../../http/bodies/json-body.decorator.js';
import type { IdempotencyRule } from './idempotency-rule.js';

/** A request with an `Idempotency-Key`, after the guards have accepted it. */
export interface KeyedRequest {
  key: string;
  request: Request;
  response: Response;
  owner: IdempotencyRule['owner'];
  /** The size limits of the body; undefined if the handler takes none. */
  limits: BodyLimits | undefined;
  /** Reads the body and calls the handler. */
  next: CallHandler;
}

/** Answers requests with an `Idempotency-Key`. The module `idempotency` provides it. */
export abstract class KeyedRequests {
  /** Returns the result for the response: that of the handler, or the answer to an earlier request with the same key. */
  abstract answer(keyed: KeyedRequest): Promise<unknown>;
}
