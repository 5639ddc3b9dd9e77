/** An SMTP server that takes every mail, but none to `…@refused.example`, and reads which submissions a mail tells of. */
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { atEnd } from '../../bench/processes.mjs';

export class MailServer {
  /** Each mail as it was taken: `{id, to, subject, text}`, the text decoded. */
  mails = [];
  refused = 0;

  static async start() {
    const mailServer = new MailServer();
    const server = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      closeTimeout: 1,
      logger: false,
      onRcptTo: ({ address }, _session, callback) => {
        if (!address.endsWith('@refused.example')) return callback();
        mailServer.refused++;
        const error = new Error(`<${address}>: Recipient address rejected`);
        callback(Object.assign(error, { responseCode: 450 }));
      },
      onData: (stream, session, callback) => {
        buffer(stream).then(
          (raw) => {
            mailServer.take(raw.toString('latin1'), session.envelope.rcptTo);
            callback();
          },
          () => {},
        );
      },
    });
    server.on('error', () => {});
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    atEnd(() => new Promise((resolve) => server.close(resolve)));
    mailServer.url = `smtp://127.0.0.1:${server.server.address().port}`;
    return mailServer;
  }

  take(raw, recipients) {
    const [, subject = ''] = /^Subject: (.*)$/im.exec(raw) ?? [];
    const [, id] = /^Message-ID: <([^>]+)>/im.exec(raw) ?? [];
    const to = recipients.map(({ address }) => address);
    this.mails.push({ id, to, subject, text: decoded(raw) });
  }

  to(address) {
    return this.mails.filter(({ to }) => to.includes(address));
  }
}

/** The raw mail and its parts decoded, one after another: enough to look for a word in it. */
function decoded(raw) {
  const quoted = raw
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_match, hex) => String.fromCharCode(parseInt(hex, 16)));
  const encoded = [...raw.matchAll(/base64\r\n(?:.+\r\n)*\r\n([A-Za-z0-9+/=\r\n]+)/g)].map(([, body]) =>
    Buffer.from(body, 'base64').toString('latin1'),
  );
  return [quoted, ...encoded].join('\n');
}
