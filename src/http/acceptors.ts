import { type ChildProcess, type SendHandle, spawn } from 'node:child_process';
import cluster from 'node:cluster';
import type { Server } from 'node:http';
import { createServer, type Server as Listener, type Socket } from 'node:net';

/** Each listener adds a file descriptor for the port, which the system wakes for every new connection. */
const COUNT = 31;
const START_MS = 5_000;
/** A process that sends back every handle it receives. Passing a handle through a channel duplicates its file descriptor. */
const ECHO = `process.on('message', (message, handle) => process.send(message, handle));`;

/**
 * Further listeners on the port of a server. Node accepts one connection per listener in each iteration of the event loop. Under load
 * an iteration takes tens of milliseconds, so a health check would wait for seconds behind other connections.
 */
export class Acceptors {
  private constructor(private readonly listeners: readonly Listener[]) {}

  /**
   * Opens further listeners for a listening server, which handles their connections. Opens none where that is not possible (Windows, or
   * a system that cannot start a process). Workers of a cluster need none, because their primary only accepts connections.
   */
  static async of(server: Server): Promise<Acceptors> {
    if (cluster.isWorker || process.platform === 'win32') return new Acceptors([]);
    const echo = spawn(process.execPath, ['--eval', ECHO], { env: {}, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    const late = setTimeout(() => echo.kill(), START_MS);
    try {
      const handles = await copiesOf((server as unknown as { _handle: SendHandle })._handle, echo);
      return new Acceptors(handles.map((handle) => listenerOn(handle, server)));
    } finally {
      clearTimeout(late);
      echo.kill();
    }
  }

  /** Stops listening; resolves when the connections are closed too. */
  async close(): Promise<void> {
    await Promise.all(this.listeners.map((listener) => new Promise((resolve) => listener.close(resolve))));
  }
}

/** Returns the copies that `echo` sent back before it ended, at most `COUNT`. */
function copiesOf(handle: SendHandle, echo: ChildProcess): Promise<unknown[]> {
  return new Promise((resolve) => {
    const copies: unknown[] = [];
    const finish = () => resolve(copies);
    echo.once('error', finish);
    echo.once('exit', finish);
    echo.on('message', (_, copy: unknown) => {
      if (copies.push(copy) === COUNT) finish();
    });
    for (let count = 0; count < COUNT; count++) echo.send(count, handle, () => undefined);
  });
}

function listenerOn(handle: unknown, server: Server): Listener {
  // The options of node's HTTP server.
  const listener = createServer({ allowHalfOpen: true, noDelay: true });
  listener.on('connection', (socket: Socket) => server.emit('connection', socket));
  return listener.listen(handle);
}
