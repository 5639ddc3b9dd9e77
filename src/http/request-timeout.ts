import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

const exempt = new WeakSet<Socket>();

/**
 * The time-out of the server for the whole request does not apply to this one any more, because it streams a body of any length. Its handler
 * must end it when the client sends nothing.
 */
export function exemptFromTimeout({ socket }: IncomingMessage): void {
  exempt.add(socket);
}

/** Call it when the request is complete: later requests of the connection have the time-out again. */
export function restoreTimeout({ socket }: IncomingMessage): void {
  exempt.delete(socket);
}

export function isExemptFromTimeout(socket: Socket): boolean {
  return exempt.has(socket);
}
