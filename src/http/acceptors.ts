import { type ChildProcess, type SendHandle, spawn } from 'node:child_process';
import cluster from 'node:cluster';
import type { Server } from 'node:http';
import { createServer, type Server as Listener, type Socket } from 'node:net';

/** Each is one more file descriptor of the port, which the system wakes for every new connection. */
const COUNT = 31;
const START_MS = 5_000;
/** A process that sends back every handle that it is sent. A handle that goes through a channel gets a file descriptor of its own. */
const ECHO = `process.on('message', (message, handle) => process.send(message, handle));`;

/**
 * Further listeners on the port of a server. Node accepts one connection of a listener in each iteration of the event loop. Under load an
 * iteration takes tens of milliseconds, and a health check would wait for seconds behind the connections of strangers.
 */
export class Acceptors {
  private constructor(private readonly listeners: readonly Listener[]) {}

  /**
   * Opens them on a server that listens; their connections become the server's. Where that is not possible (Windows, or a system that
   * starts no process) there are none. The workers of a cluster need none: their primary does nothing but accept.
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

/** As many as came back before the process ended. */
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
  // As node makes the server of HTTP.
  const listener = createServer({ allowHalfOpen: true, noDelay: true });
  listener.on('connection', (socket: Socket) => server.emit('connection', socket));
  return listener.listen(handle);
}
