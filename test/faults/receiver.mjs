/** A real HTTPS server that receives deliveries, sends the configured error responses, and records what arrived. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { atEnd } from '../../bench/processes.mjs';
import { keyOf, problemOf } from './standard-webhooks.mjs';

const TLS = fileURLToPath(new URL('../support/tls/', import.meta.url));
export const CERTIFICATE = `${TLS}cert.pem`;
const GOOD = { status: 200 };

/** Receives one webhook's deliveries. */
class Mailbox {
  /** By `webhook-id`: the body, and how often the delivery arrived and was accepted. */
  deliveries = new Map();
  secrets = [];
  answer = GOOD;
  /** How often each kind of response was sent. */
  answered = { taken: 0, refused: 0, reset: 0, hung: 0 };
  verified = { library: 0, own: 0 };
  faults = [];

  /** Returns the response: {status, headers?}, 'reset' or 'hang'. */
  receive({ headers, body }) {
    const id = headers['webhook-id'];
    const text = body.toString();
    this.verify({ headers, body });
    const delivery = this.deliveries.get(id) ?? { text, came: 0, taken: 0 };
    this.deliveries.set(id, delivery);
    if (delivery.text !== text) this.faults.push(`${id}: the body differs from an earlier attempt`);
    if (JSON.parse(text).id !== id) this.faults.push(`${id}: the body has a different ID`);
    delivery.came++;
    const answer = typeof this.answer === 'function' ? this.answer(id) : this.answer;
    if (answer === 'reset' || answer === 'hang') this.answered[answer === 'hang' ? 'hung' : 'reset']++;
    else if (answer.status < 300) {
      this.answered.taken++;
      delivery.taken++;
    } else this.answered.refused++;
    return answer;
  }

  /**
   * Verifies with the reference library and with an independent implementation. The first secret keeps signing, because the run is shorter
   * than the time for which a replaced secret signs. A delivery with two signatures must be valid under both.
   */
  verify({ headers, body }) {
    const signatures = headers['webhook-signature']?.split(' ').length ?? 0;
    if (this.secrets.length === 0) {
      if (signatures > 0) this.faults.push('signed without a secret');
      return;
    }
    if (signatures === 0) this.faults.push('not signed');
    for (const secret of this.secrets.slice(0, signatures)) {
      const verifiers = {
        library: (bytes) => problemOfLibrary({ headers, body: bytes }, secret),
        own: (bytes) => problemOf({ headers, body: bytes }, secret),
      };
      for (const [name, verifier] of Object.entries(verifiers)) {
        const problem = verifier(body);
        if (problem) this.faults.push(`${headers['webhook-id']}, verified by ${name}: ${problem}`);
        // A verifier that also accepts an altered body proves nothing.
        else if (!verifier(Buffer.concat([body, Buffer.from(' ')])))
          this.faults.push(`${name} accepts an altered body`);
        else this.verified[name]++;
      }
    }
  }
}

function problemOfLibrary({ headers, body }, secret) {
  try {
    new Webhook(keyOf(secret), { format: 'raw' }).verify(body, headers);
    return undefined;
  } catch (error) {
    return error.message;
  }
}

export class Receiver {
  static async start() {
    const mailboxes = new Map();
    const server = createServer({ key: readFileSync(`${TLS}key.pem`), cert: readFileSync(CERTIFICATE) });
    server.on('request', (request, response) => {
      const chunks = [];
      // Killed senders break their connections.
      request.on('error', () => {});
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        const mailbox = mailboxes.get(request.url);
        if (!mailbox) return response.writeHead(404).end();
        const answer = mailbox.receive({ headers: request.headers, body: Buffer.concat(chunks) });
        if (answer === 'reset') response.socket?.destroy();
        else if (answer !== 'hang') response.writeHead(answer.status, answer.headers).end();
      });
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    atEnd(() => {
      server.closeAllConnections();
      server.close();
    });
    return new Receiver(server.address().port, mailboxes);
  }

  constructor(port, mailboxes) {
    this.port = port;
    this.mailboxes = mailboxes;
  }

  open(path) {
    const mailbox = new Mailbox();
    mailbox.url = `https://localhost:${this.port}${path}`;
    this.mailboxes.set(path, mailbox);
    return mailbox;
  }
}

export { GOOD };
