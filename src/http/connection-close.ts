import { setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';

const signals = new WeakMap<Socket, AbortSignal>();

/**
 * Calls `end` when the connection closes, at once if it has; the function that is returned ends that. A response is no measure of it:
 * one that waits behind others on its connection emits no event when that closes. A connection has one listener for all of them.
 */
export function onceClosed(socket: Socket, end: () => void): () => void {
  const signal = signalOf(socket);
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return () => signal.removeEventListener('abort', end);
}

function signalOf(socket: Socket): AbortSignal {
  const known = signals.get(socket);
  if (known) return known;
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  if (socket.destroyed) controller.abort();
  else socket.once('close', () => controller.abort());
  signals.set(socket, controller.signal);
  return controller.signal;
}
