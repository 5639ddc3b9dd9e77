/** A real SMTP server that keeps which mails it took. Of some messages it refuses the first attempt. */
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { atEnd } from '../../bench/processes.mjs';

/** Every so manyth message is refused for now, or its connection broken, at first sight only: the second retry comes after minutes. */
const REFUSE_EVERY = 9;
const BREAK_EVERY = 13;

export class MailServer {
  /** Of each message id how often it came and was taken, and its last text. */
  mails = new Map();
  /** The senders that are kept waiting. */
  hanging = [];
  isHanging = false;
  /** Off while everything is to end. */
  refusesSome = true;
  refused = 0;

  static async start() {
    const mailServer = new MailServer();
    const server = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      closeTimeout: 1,
      logger: false,
      onData: (stream, _session, callback) => {
        buffer(stream).then(
          (raw) => mailServer.receive(raw.toString(), callback),
          () => {},
        );
      },
    });
    // Senders are killed while they speak.
    server.on('error', () => {});
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    atEnd(() => new Promise((resolve) => server.close(resolve)));
    mailServer.url = `smtp://127.0.0.1:${server.server.address().port}`;
    return mailServer;
  }

  receive(text, callback) {
    const [, id] = /^Message-ID: <([^@>]+)@/im.exec(text) ?? [];
    const mail = this.mails.get(id) ?? { number: this.mails.size, came: 0, taken: 0 };
    this.mails.set(id, mail);
    mail.text = text;
    mail.came++;
    if (this.isHanging) {
      this.hanging.push(callback);
      return;
    }
    const first = this.refusesSome && mail.came === 1;
    if (first && mail.number % REFUSE_EVERY === REFUSE_EVERY - 1) return this.refuse(callback, 451);
    if (first && mail.number % BREAK_EVERY === BREAK_EVERY - 1) return this.refuse(callback, 421);
    mail.taken++;
    callback();
  }

  /** What hung counts as not taken: were it counted, a sender that was killed meanwhile would not have to send it again. */
  heal() {
    this.isHanging = false;
    for (const callback of this.hanging.splice(0)) this.refuse(callback, 451);
  }

  refuse(callback, responseCode) {
    this.refused++;
    callback(Object.assign(new Error('Not now'), { responseCode }));
  }
}
