import type { Server } from 'node:http';

/** However slow a client is, it doesn't hold the process up for longer. */
const PATIENCE = 15_000;

/** Takes no more connections, lets requests that are under way finish, and returns when none is left. */
export async function drain(server: Server): Promise<void> {
  if (!server.listening) return;
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const late = setTimeout(() => server.closeAllConnections(), PATIENCE);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearInterval(idle);
  clearTimeout(late);
}
