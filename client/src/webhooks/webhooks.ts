import type { SchemaShape } from '../schema/shape.js';
import { TrivetError } from '../transport/error.js';
import type { WebhookEvent } from './events.js';
import { isSigned } from './signature.js';

/** A delivery: the Request of a fetch handler, or headers and the raw body of another server. */
export interface Delivery {
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body?: unknown;
  arrayBuffer?(): Promise<ArrayBuffer>;
}

interface VerifyOptions {
  /** By how many seconds the time of the delivery may differ from now. 300 by default. */
  readonly tolerance?: number;
}

/** What receives webhooks. */
export interface Webhooks<S extends SchemaShape> {
  /**
   * Returns the event of a delivery. Throws a TrivetError with the code `invalid_signature` if the secret, or one of several, did not sign it, or
   * its time is too far from now. The body must not have been parsed before.
   */
  verify(delivery: Delivery, secret: string | readonly string[], options?: VerifyOptions): Promise<WebhookEvent<S>>;
}

const TOLERANCE = 300;

export function webhooksOf<S extends SchemaShape>(): Webhooks<S> {
  return {
    verify: async (delivery, secret, { tolerance = TOLERANCE } = {}) => {
      const [id, time, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
        header(delivery, `webhook-${name}`),
      );
      if (!id || !time || !signatures) throw invalid('The request is not a signed delivery: it lacks a header.');
      if (!/^\d+$/.test(time) || Math.abs(Date.now() / 1000 - Number(time)) > tolerance) {
        throw invalid('The time of the delivery is too far from now.');
      }
      const body = await bytesOf(delivery);
      const signed = joined(new TextEncoder().encode(`${id}.${time}.`), body);
      for (const one of [secret].flat()) {
        if (await isSigned(signatures, signed, one))
          return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent<S>;
      }
      throw invalid('The signature of the delivery does not fit its body and the secret.');
    },
  };
}

function invalid(message: string): TrivetError {
  return new TrivetError(message, { code: 'invalid_signature' });
}

function header({ headers }: Delivery, name: string): string | undefined {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  return typeof value === 'string' ? value : undefined;
}

async function bytesOf(delivery: Delivery): Promise<Uint8Array> {
  const { body } = delivery;
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (delivery.arrayBuffer) return new Uint8Array(await delivery.arrayBuffer());
  throw new TypeError('The body of a delivery must be its bytes or its text, before it is parsed.');
}

function joined(head: Uint8Array, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
}
