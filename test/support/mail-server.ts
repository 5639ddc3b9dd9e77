import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { type MailMessage, parseMessage } from './mail-message.js';
import { until } from './until.js';

/** An attempt to send an email that got as far as the message, accepted or not. */
export interface ReceivedMail extends MailMessage {
  from: string;
  to: string[];
  taken: boolean;
}

/** The server's reply: accept, reject the recipient or the message with a code, or do not reply. */
export type MailAnswer = 'take' | { recipient: number } | { message: number } | 'hang';

export interface MailServer {
  url: string;
  /** All messages received for the recipient, in order. */
  received(recipient: string): ReceivedMail[];
  /** How often a client named the recipient. */
  attempts(recipient: string): number;
  /**
   * Sets the replies for a recipient; `attempt` counts from 1. The default is to accept. The function may wait, and so delay the sender.
   */
  answer(recipient: string, answer: (attempt: number) => MailAnswer | Promise<MailAnswer>): void;
  /** Resolves when the server has accepted this number of emails for the recipient. Rejects after ten seconds. */
  until(recipient: string, taken: number): Promise<ReceivedMail[]>;
  /** Breaks all connections and refuses new ones. */
  stop(): Promise<void>;
  /** Listens again under the same URL. */
  start(): Promise<void>;
}

/** Starts a real mail server that records what it receives. */
export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const attempts = new Map<string, number>();
  const answers = new Map<string, (attempt: number) => MailAnswer | Promise<MailAnswer>>();
  /** The reply chosen for the recipient, which also applies to the message that follows. */
  const decided = new WeakMap<object, MailAnswer>();
  let server = build();
  let port = 0;

  function build(): SMTPServer {
    const built = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      closeTimeout: 1,
      logger: false,
      onRcptTo({ address }, session, callback) {
        const attempt = (attempts.get(address) ?? 0) + 1;
        attempts.set(address, attempt);
        void Promise.resolve(answers.get(address)?.(attempt) ?? 'take').then((answer) => {
          decided.set(session, answer);
          const code = typeof answer === 'object' && 'recipient' in answer ? answer.recipient : undefined;
          if (answer !== 'hang') callback(code === undefined ? undefined : refusal(code));
        });
      },
      onData(stream, session, callback) {
        const received = (raw: Buffer) => {
          const answer = decided.get(session) ?? 'take';
          const code = typeof answer === 'object' && 'message' in answer ? answer.message : undefined;
          const { mailFrom, rcptTo } = session.envelope;
          mails.push({
            ...parseMessage(raw),
            from: mailFrom ? mailFrom.address : '',
            to: rcptTo.map(({ address }) => address),
            taken: code === undefined,
          });
          callback(code === undefined ? undefined : refusal(code));
        };
        // A sender that is killed cuts its message off.
        void buffer(stream).then(received, () => undefined);
      },
    });
    built.on('error', () => undefined);
    return built;
  }

  async function start(): Promise<void> {
    server = build();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    port = (server.server.address() as AddressInfo).port;
  }

  await start();
  const received = (recipient: string) => mails.filter(({ to }) => to.includes(recipient));
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    attempts: (recipient) => attempts.get(recipient) ?? 0,
    answer: (recipient, answer) => void answers.set(recipient, answer),
    until: (recipient, taken) =>
      until(() => {
        const mails = received(recipient);
        return Promise.resolve(mails.filter((mail) => mail.taken).length >= taken && mails);
      }),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
    start,
  };
}

function refusal(code: number): Error {
  return Object.assign(new Error(`Refused with ${code}`), { responseCode: code });
}
