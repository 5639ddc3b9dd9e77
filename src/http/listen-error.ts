import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '../config/config.js';
import { StartError } from '../config/start-error.js';
import { findRunning } from '../processes/running-file.js';

type Listening = Pick<Config, 'host' | 'port' | 'role' | 'dataDir'>;

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
export function describeListenError(error: unknown, config: Listening): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  const { host, port } = config;
  if (syscall !== 'listen' && syscall !== 'bind' && syscall !== 'getaddrinfo') return error;
  if (code === 'EADDRINUSE') return new StartError(`PORT: ${describeTaken(config)}`);
  if (code === 'EACCES') {
    return new StartError(
      `PORT: this user may not listen on port ${port}. Set PORT to 1024 or above, or give the user that right.`,
    );
  }
  return new StartError(
    `HOST: this machine cannot listen on ${host} (${code}). Set HOST to one of its addresses, to 127.0.0.1, or to 0.0.0.0 for all of them.`,
  );
}

function describeTaken({ host, port, role, dataDir }: Listening): string {
  const running = findRunning(dataDir);
  if (running?.url.endsWith(`:${port}`) && role !== 'worker') {
    return `Trivet already runs on this DATA_DIR, as process ${running.pid} at ${running.url}. Use it, or stop it first.`;
  }
  const worker =
    role === 'worker' ? ' A worker also listens, for /health and /metrics, and needs a port of its own.' : '';
  return `another process listens on port ${port} of ${host} already. Stop that process, or set PORT to a free port.${worker}`;
}
