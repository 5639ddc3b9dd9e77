import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Config } from '../config/config.js';
import { addressGroup } from './address-group.js';
import { Connection } from './connection.js';

/** Unanswered requests of one connection. Common clients do not pipeline more. Further requests get no response. */
const MAX_PIPELINED = 32;
/** Delay of the last response of a connection with too many requests, so that reconnecting at once has no advantage. */
const PENALTY_MS = 1_000;
const CHECK_INTERVAL_MS = 1_000;
/** At the limit of connections, one without progress for this long is closed in favour of a new one. */
const REPLACEABLE_AFTER_MS = 1_000;

/**
 * Limits the client connections in total and per address, limits the pipelined requests of each, and closes connections whose client
 * makes no progress. Counts belong to the connection, so they end with it, however it ends.
 */
@Injectable()
export class Connections implements OnApplicationShutdown {
  private readonly all = new Map<Socket, Connection>();
  private readonly byAddress = new Map<string, Set<Connection>>();
  private timer?: NodeJS.Timeout;
  private refused = 0;
  private replaced = 0;
  private stalled = 0;

  constructor(private readonly config: Config) {}

  get load(): { open: number; unfinished: number; refused: number; replaced: number; stalled: number } {
    let unfinished = 0;
    for (const connection of this.all.values()) unfinished += connection.unfinished;
    const { refused, replaced, stalled } = this;
    return { open: this.all.size, unfinished, refused, replaced, stalled };
  }

  watch(server: Server): void {
    server.on('connection', (socket: Socket) => this.open(socket));
    this.timer = setInterval(() => this.look(), CHECK_INTERVAL_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Counts the request. The one that reaches the limit gets a delayed last response. Later ones on its connection get none. */
  readonly middleware = (request: Request, response: Response, next: NextFunction): void => {
    const connection = this.all.get(request.socket);
    if (!connection) {
      next();
      return;
    }
    if (connection.isEnding) return;
    connection.unfinished++;
    connection.request = request;
    response.once('close', () => connection.unfinished--);
    if (connection.unfinished < MAX_PIPELINED) {
      next();
      return;
    }
    connection.isEnding = true;
    connection.socket.pause();
    ignoreRest(connection.socket);
    // Node closes the connection after the response with this header.
    response.setHeader('Connection', 'close');
    setTimeout(next, PENALTY_MS).unref();
  };

  private open(socket: Socket): void {
    const address = this.config.trustProxy > 0 ? undefined : addressGroup(socket.remoteAddress);
    if (!this.makeRoom(address)) {
      this.refused++;
      socket.destroy();
      return;
    }
    const connection = new Connection(socket, address);
    this.all.set(socket, connection);
    if (address !== undefined) {
      const others = this.byAddress.get(address) ?? new Set();
      this.byAddress.set(address, others.add(connection));
    }
    socket.once('close', () => this.forget(connection));
  }

  private forget(connection: Connection): void {
    this.all.delete(connection.socket);
    if (connection.address === undefined) return;
    const others = this.byAddress.get(connection.address);
    others?.delete(connection);
    if (others?.size === 0) this.byAddress.delete(connection.address);
  }

  /** Returns whether one more connection is allowed. If necessary, first closes one that is idle or makes no progress. */
  private makeRoom(address: string | undefined): boolean {
    const { maxConnections, maxConnectionsPerAddress } = this.config;
    const ofAddress = address === undefined ? undefined : this.byAddress.get(address);
    if (ofAddress && ofAddress.size >= maxConnectionsPerAddress) return this.replaceOne(ofAddress.values());
    return this.all.size < maxConnections || this.replaceOne(this.all.values());
  }

  private replaceOne(connections: Iterable<Connection>): boolean {
    const now = performance.now();
    let candidate: Connection | undefined;
    for (const connection of connections) {
      if (!connection.isIdle && !connection.isWaitingForClient) continue;
      if (!candidate || closesBefore(connection, candidate)) candidate = connection;
    }
    if (!candidate || now - candidate.progressedAt < REPLACEABLE_AFTER_MS) return false;
    this.replaced++;
    candidate.socket.destroy();
    this.forget(candidate);
    return true;
  }

  private look(): void {
    const now = performance.now();
    for (const connection of this.all.values()) {
      connection.observe(now);
      if (!connection.isWaitingForClient || now - connection.progressedAt < this.config.clientTimeout) continue;
      this.stalled++;
      connection.socket.destroy();
    }
  }
}

/**
 * Lets Node skip the requests that are left in the bytes it has read: up to 64 KiB, which can be thousands of requests. Node would make each of
 * them, keep it until the connection closes and then abort it with an error, which together took nearly 100 ms of the process.
 */
function ignoreRest(socket: Socket): void {
  // Node has no public way to stop its parser. Its own servers return this value for an upgrade, after which the bytes are not HTTP.
  const { parser } = socket as unknown as { parser?: { onIncoming: () => number } };
  if (parser) parser.onIncoming = () => 2;
}

/** Whether to close `a` before `b`: first idle connections, then the one without progress for longer. */
function closesBefore(a: Connection, b: Connection): boolean {
  return a.isIdle === b.isIdle ? a.progressedAt < b.progressedAt : a.isIdle;
}
