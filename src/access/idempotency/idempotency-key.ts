import { applyDecorators, SetMetadata, UseInterceptors } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { ProblemResponses } from '../../errors/problem-responses.js';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { IDEMPOTENCY_RULE, type IdempotencyRule } from './idempotency-rule.js';

/** Clients of a route that writes can send an `Idempotency-Key`. `RequiresKey` includes it; a public route needs it by itself. */
export function TakesIdempotencyKey({ owner }: Pick<IdempotencyRule, 'owner'> = {}): MethodDecorator {
  return applyDecorators(
    SetMetadata<symbol, IdempotencyRule>(IDEMPOTENCY_RULE, { owner }),
    UseInterceptors(IdempotencyInterceptor),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
      description:
        'Makes it safe to send the request again: a key that has succeeded within the last 24 hours returns the first response again, with ' +
        '`Idempotency-Replayed: true`, and nothing happens twice. Use a new random key for each operation.',
    }),
    // The body is read to compare requests, also where the handler takes none.
    ProblemResponses('invalid_parameter', 'malformed_json', 'conflict', 'idempotency_key_reused'),
  );
}

/** Why routes of sessions refuse the header. */
export const KEEPS_NO_ANSWERS = 'The request concerns no tenant, among whose data answers are kept.';

/** The route refuses an `Idempotency-Key`, for this reason. */
export function RefusesIdempotencyKey(refusal: string): MethodDecorator {
  return applyDecorators(
    SetMetadata<symbol, IdempotencyRule>(IDEMPOTENCY_RULE, { refusal }),
    UseInterceptors(IdempotencyInterceptor),
    ProblemResponses('invalid_parameter'),
  );
}
