import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ByteBudget, publicKey } from '../admission/byte-budget.js';
import { releaseWithAnswer } from '../admission/release-with-answer.js';
import { Database } from '../database/database.js';
import { Problem } from '../errors/problem.js';

/** Smaller bodies are not worth counting: connections bound how many there are. */
const UNCOUNTED_BYTES = 16 * 1024;
/** What a body counts for at most; a larger one is refused where its route says how large it may be. */
const MAX_COUNTED_BYTES = 8 * 1024 * 1024;
/** A body of unknown length counts for this much. */
const UNKNOWN_BYTES = 1024 * 1024;
/** The bytes, their text, its values, and the text of the answer. */
const COPIES = 4;

/**
 * Refuses a request early, with 503 and `Retry-After`, when it could only wait in vain for a connection to the database, or when its
 * body does not fit into the tenant's share of the bytes in flight. Runs after the access guard, which knows whose request it is.
 */
@Injectable()
export class AdmissionGuard implements CanActivate {
  constructor(
    private readonly database: Database,
    private readonly bytes: ByteBudget,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const share = shareOf(request);
    if (share === undefined) return true;
    if (this.database.isOverloaded(share)) {
      throw Problem.unavailable('This tenant has too many requests in progress.');
    }
    const size = bodyBytes(request);
    if (size > UNCOUNTED_BYTES) {
      releaseWithAnswer(http.getResponse<Response>(), this.bytes.reserve(share, size * COPIES));
    }
    return true;
  }
}

/** Whose share a request uses; undefined for requests that are about no tenant. */
export function shareOf({ caller, params }: Request): string | undefined {
  if (caller) return caller.tenantId;
  const tenantId = params['tenant_id'];
  return typeof tenantId === 'string' ? publicKey(tenantId) : undefined;
}

/** The bytes of a body that is held in memory. An upload goes to disk as it comes. */
function bodyBytes({ headers }: Request): number {
  if (headers['content-type']?.startsWith('multipart/')) return 0;
  if (headers['transfer-encoding'] !== undefined || headers['content-encoding'] !== undefined) return UNKNOWN_BYTES;
  return Math.min(Number(headers['content-length'] ?? 0), MAX_COUNTED_BYTES);
}
