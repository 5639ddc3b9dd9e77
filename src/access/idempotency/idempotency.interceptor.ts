import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { from, type Observable } from 'rxjs';
import { Problem } from '../../errors/problem.js';
import { bodyLimitsOf } from '../../http/bodies/json-body.decorator.js';
import { IDEMPOTENCY_RULE, type IdempotencyRule, readIdempotencyKey } from './idempotency-rule.js';
import { KeyedRequests } from './keyed-requests.js';

/** Passes requests with an `Idempotency-Key` to `KeyedRequests`, and all others to their handlers. Runs after the guards. */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly requests: KeyedRequests,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const key = readIdempotencyKey(request);
    if (key === undefined) return next.handle();
    const handler = context.getHandler();
    const { refusal, owner } = this.reflector.get<IdempotencyRule>(IDEMPOTENCY_RULE, handler);
    if (refusal !== undefined) throw Problem.parameter('Idempotency-Key', refusal);
    const response = http.getResponse<Response>();
    return from(this.requests.answer({ key, request, response, owner, limits: bodyLimitsOf(handler), next }));
  }
}
