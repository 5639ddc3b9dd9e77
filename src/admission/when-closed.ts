import type { Response } from 'express';
import type { Socket } from 'node:net';

/** The callbacks of each connection. They share one listener, because a client decides how many requests it pipelines. */
const waiting = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls `callback` once when the connection of the response closes, or at once if it is closed. Returns a function that cancels this.
 * The `close` event of the response is not enough: a pipelined response that is queued when the connection closes never emits it.
 */
export function whenClosed(response: Response, callback: () => void): () => void {
  const { socket } = response.req;
  if (socket.destroyed) {
    callback();
    return () => undefined;
  }
  const callbacks = waiting.get(socket) ?? listen(socket);
  callbacks.add(callback);
  return () => void callbacks.delete(callback);
}

function listen(socket: Socket): Set<() => void> {
  const callbacks = new Set<() => void>();
  waiting.set(socket, callbacks);
  socket.once('close', () => {
    for (const callback of callbacks) callback();
    callbacks.clear();
  });
  return callbacks;
}
