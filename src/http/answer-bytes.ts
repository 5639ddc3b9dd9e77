import type { Response } from 'express';
import { type ByteBudget, publicKey } from '../admission/byte-budget.js';
import { releaseWithAnswer } from '../admission/release-with-answer.js';

/** Smaller answers are not counted: the system's buffers mostly take them at once. */
const UNCOUNTED_BYTES = 65_536;

/**
 * Counts an answer of that many bytes until all of it is handed to the system or its connection is closed. Throws 503 for a GET that
 * does not fit; the answer of a change is counted in any case, since the change is made.
 */
export function countAnswer(budget: ByteBudget, response: Response, bytes: number): void {
  const { method, caller, params } = response.req;
  if (bytes <= UNCOUNTED_BYTES || method === 'HEAD') return;
  const share = caller?.tenantId ?? publicKey(String(params['tenant_id'] ?? ''));
  releaseWithAnswer(response, method === 'GET' ? budget.reserve(share, bytes) : budget.hold(share, bytes));
}
