import { SMTPServer } from 'smtp-server';
import { atEnd } from '../../bench/processes.mjs';

/** Starts an SMTP server on a free port until the run ends; returns its URL. `handlers` are smtp-server's (`onRcptTo`, `onData`). */
export async function listenForMail(handlers) {
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    closeTimeout: 1,
    logger: false,
    ...handlers,
  });
  // Killed senders break their connections.
  server.on('error', () => {});
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => new Promise((resolve) => server.close(resolve)));
  return `smtp://127.0.0.1:${server.server.address().port}`;
}
