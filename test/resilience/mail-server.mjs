/** An SMTP server that accepts every email except those to `…@refused.example`, and decodes them. */
import { buffer } from 'node:stream/consumers';
import { listenForMail } from '../support/smtp-listener.mjs';

export class MailServer {
  /** The accepted emails: `{id, to, subject, text}` with decoded text. */
  mails = [];
  refused = 0;

  static async start() {
    const mailServer = new MailServer();
    mailServer.url = await listenForMail({
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

/** The raw email followed by its decoded parts, for searches in the text. */
function decoded(raw) {
  const quoted = raw
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_match, hex) => String.fromCharCode(parseInt(hex, 16)));
  const encoded = [...raw.matchAll(/base64\r\n(?:.+\r\n)*\r\n([A-Za-z0-9+/=\r\n]+)/g)].map(([, body]) =>
    Buffer.from(body, 'base64').toString('latin1'),
  );
  return [quoted, ...encoded].join('\n');
}
