/** A real SMTP server that records the emails it accepted. It rejects the first attempt of some emails. */
import { buffer } from 'node:stream/consumers';
import { listenForMail } from '../support/smtp-listener.mjs';

/**
 * It temporarily rejects every 9th message and closes the connection on every 13th, on the first attempt only: the second retry comes
 * minutes later.
 */
const REFUSE_EVERY = 9;
const BREAK_EVERY = 13;

export class MailServer {
  /** By Message-ID: how often the email arrived and was accepted, and its last text. */
  mails = new Map();
  /** The callbacks of the senders that wait for a reply. */
  hanging = [];
  isHanging = false;
  /** False while the run finishes. */
  refusesSome = true;
  refused = 0;

  static async start() {
    const mailServer = new MailServer();
    mailServer.url = await listenForMail({
      onData: (stream, _session, callback) => {
        buffer(stream).then(
          (raw) => mailServer.receive(raw.toString(), callback),
          () => {},
        );
      },
    });
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

  /** Rejects the emails that hang. If they counted as accepted, a killed sender would not have to send them again. */
  heal() {
    this.isHanging = false;
    for (const callback of this.hanging.splice(0)) this.refuse(callback, 451);
  }

  refuse(callback, responseCode) {
    this.refused++;
    callback(Object.assign(new Error('Not now'), { responseCode }));
  }
}
