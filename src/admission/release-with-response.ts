import type { Response } from 'express';
import type { Reservation } from './byte-budget.js';
import { whenClosed } from './when-closed.js';

/** Releases the bytes when the response is complete or its connection closes. */
export function releaseWithResponse(response: Response, reservation: Reservation): void {
  const cancel = whenClosed(response, () => reservation.release());
  response.once('close', () => {
    cancel();
    reservation.release();
  });
}
