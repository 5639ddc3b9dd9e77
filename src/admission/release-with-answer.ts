import type { Response } from 'express';
import type { Reservation } from './byte-budget.js';
import { whenClosed } from './when-closed.js';

/** Gives the bytes back when the answer is complete or its connection is closed. */
export function releaseWithAnswer(response: Response, reservation: Reservation): void {
  const cancel = whenClosed(response, () => reservation.release());
  response.once('close', () => {
    cancel();
    reservation.release();
  });
}
