import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '../config/config.js';
import { StartError } from '../config/start-error.js';

type Listening = Pick<Config, 'host' | 'port' | 'role'>;

/** Throws a StartError if the service cannot listen on `HOST` and `PORT`, before anything else is started. */
export async function assertCanListen(config: Listening): Promise<void> {
  const probe = createServer();
  try {
    probe.listen({ host: config.host, port: config.port, exclusive: true });
    await once(probe, 'listening');
  } catch (error) {
    throw describeListenError(error, config);
  }
  probe.close();
  await once(probe, 'close');
}

/** Returns a StartError for an error of `listen` that the operator can fix, and any other error as it is. */
export function describeListenError(error: unknown, { host, port, role }: Listening): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall !== 'listen' && syscall !== 'bind' && syscall !== 'getaddrinfo') return error;
  if (code === 'EADDRINUSE') {
    const worker =
      role === 'worker' ? ' A worker also listens, for /health and /metrics, and needs a port of its own.' : '';
    return new StartError(
      `PORT: another process listens on port ${port} of ${host} already. Stop that process, or set PORT to a free port.${worker}`,
    );
  }
  if (code === 'EACCES') {
    return new StartError(
      `PORT: this user may not listen on port ${port}. Set PORT to 1024 or above, or give the user that right.`,
    );
  }
  return new StartError(
    `HOST: this machine cannot listen on ${host} (${code}). Set HOST to one of its addresses, to 127.0.0.1, or to 0.0.0.0 for all of them.`,
  );
}
