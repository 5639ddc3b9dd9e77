import { createHmac } from 'node:crypto';

/** As long as the service waits for a receiver. */
const TIMEOUT_MS = 15_000;
const PREFIX = 'whsec_';

/** What a receiver answered: its status, or why there is none. */
export interface Forwarded {
  readonly status?: number;
  readonly error?: string;
  readonly milliseconds: number;
}

/** Posts the body of a delivery to a URL, with the headers of a webhook (Standard Webhooks). */
export async function forward(url: string, body: string, secret: string, signal: AbortSignal): Promise<Forwarded> {
  const { id } = JSON.parse(body) as { id: string };
  const timestamp = Math.floor(Date.now() / 1000);
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  const began = performance.now();
  const took = () => Math.round(performance.now() - began);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'Trivet',
        'trivet-attempt': '1',
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': `v1,${signature}`,
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    return { status: response.status, milliseconds: took() };
  } catch (error) {
    return { error: reasonOf(error), milliseconds: took() };
  }
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error & { cause?: { code?: string } };
  return cause?.code ?? message;
}
