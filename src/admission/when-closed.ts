import type { Response } from 'express';
import type { Socket } from 'node:net';

/** By connection what is to be called when it closes. One listener for all: a client chooses how many requests it pipelines. */
const waiting = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls back once when the answer's connection closes, at once if it has; returns what cancels that. The response's own `close` does
 * not suffice: of pipelined requests, those whose answers are queued when the connection closes never emit it.
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
