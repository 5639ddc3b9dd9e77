import type { Response } from 'express';
import { type ByteBudget } from '../../admission/byte-budget.js';
import { publicKey } from '../../admission/public-key.js';
import { clientAddress } from '../client-address.js';
import { releaseWithResponse } from '../../admission/release-with-response.js';

/** Smaller responses are not counted: the system's buffers usually take them at once. */
const UNCOUNTED_BYTES = 65_536;

/**
 * Counts the bytes of a response until it is handed to the system or its connection closes. Throws 503 for a GET that does not fit. The
 * response to a change is never refused, because the change has been made.
 */
export function countResponse(budget: ByteBudget, response: Response, bytes: number): void {
  const { method, caller, params } = response.req;
  if (bytes <= UNCOUNTED_BYTES || method === 'HEAD') return;
  const share = caller?.share ?? publicKey(String(params['tenant_id'] ?? ''), clientAddress(response.req));
  releaseWithResponse(response, method === 'GET' ? budget.reserve(share, bytes) : budget.hold(share, bytes));
}
