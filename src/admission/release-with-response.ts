import type { Response } from 'express';
import type { Reservation } from './byte-budget.js';
import { whenClosed } from './when-closed.js';

/** Releases the bytes when the response is complete or its connection closes. */
export function releaseWithResponse(response: Response, reservation: Reservation): void {
  afterResponse(response, () => reservation.release());
}

/** Calls `callback` when the response is complete or its connection closes, perhaps twice. */
export function afterResponse(response: Response, callback: () => void): void {
  const cancel = whenClosed(response, callback);
  response.once('close', () => {
    cancel();
    callback();
  });
}
