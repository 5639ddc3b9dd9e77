import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ByteBudget } from '../admission/byte-budget.js';
import { isPublicKey, publicKey } from '../admission/public-key.js';
import { clientAddress } from '../http/client-address.js';
import { releaseWithResponse } from '../admission/release-with-response.js';
import { RequestQueue } from '../admission/request-queue.js';
import { Database } from '../database/database.js';
import { Problem } from '../errors/problem.js';
import { CSV, mediaTypeOf, MULTIPART, NDJSON } from '../http/bodies/media-type.js';

/** Smaller bodies are not counted: the limit on connections bounds them. */
const UNCOUNTED_BYTES = 16 * 1024;
/** A larger body counts as this much. The size limit of its route refuses it later. */
const MAX_COUNTED_BYTES = 8 * 1024 * 1024;
/** A body of unknown length counts as this much. */
const UNKNOWN_BYTES = 1024 * 1024;
/** Memory holds the bytes, their text, the parsed values and the text of the response. */
const COPIES = 4;

/**
 * Holds a request while many statements of its tenant wait for a database connection, and refuses it with 503 and `Retry-After` if it cannot
 * start in time, or if its body does not fit into the tenant's share of the bytes in flight. Runs after the access guard, which sets the
 * caller, and before the body is read.
 */
@Injectable()
export class AdmissionGuard implements CanActivate {
  private readonly turns: RequestQueue;

  constructor(
    database: Database,
    private readonly bytes: ByteBudget,
  ) {
    this.turns = new RequestQueue({
      isBusy: (share) => database.isBusy(share),
      refusal: () => Problem.unavailable('This tenant has too many requests in progress.'),
    });
  }

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const share = shareOf(request);
    if (share === undefined) return true;
    const response = http.getResponse<Response>();
    const turn = this.turns.enter(share, request.socket);
    return turn ? turn.then(() => this.admit(request, response, share)) : this.admit(request, response, share);
  }

  private admit(request: Request, response: Response, share: string): true {
    const size = bodyBytes(request);
    // The body of an indirect request is part of one that was counted.
    if (size <= UNCOUNTED_BYTES || request.indirect) return true;
    const key = isPublicKey(share) ? publicKey(String(request.params['tenant_id']), clientAddress(request)) : share;
    releaseWithResponse(response, this.bytes.reserve(key, size * COPIES));
    return true;
  }
}

/** Returns the key of the share that a request uses. Undefined for a request that concerns no tenant. */
function shareOf({ caller, params }: Request): string | undefined {
  if (caller) return caller.share;
  const tenantId = params['tenant_id'];
  return typeof tenantId === 'string' ? publicKey(tenantId) : undefined;
}

/** Bodies of these types are streamed. The handler that reads one counts the bytes in memory; other handlers refuse it unread. */
const STREAMED: ReadonlySet<string> = new Set([MULTIPART, CSV, ...NDJSON]);

/** Returns how many bytes of the body memory holds. */
function bodyBytes(request: Request): number {
  const { headers } = request;
  if (STREAMED.has(mediaTypeOf(request).type)) return 0;
  if (headers['transfer-encoding'] !== undefined || headers['content-encoding'] !== undefined) return UNKNOWN_BYTES;
  return Math.min(Number(headers['content-length'] ?? 0), MAX_COUNTED_BYTES);
}
