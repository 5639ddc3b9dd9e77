/** Forwards the events of a tenant to a URL that the service may not reach, signed as a webhook. */
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 500;

/**
 * Reads the feed of the tenant's events from now on, and posts each to `url`, until the function that is returned is called. `secret` begins with
 * `whsec_`.
 */
export function forwardEvents({ trivet, url, secret, types }) {
  const ended = new AbortController();
  void forward({ trivet, url, secret, types, signal: ended.signal });
  return () => ended.abort();
}

async function forward({ trivet, url, secret, types, signal }) {
  let place = { since: new Date().toISOString() };
  while (!signal.aborted) {
    try {
      const { data, meta } = await trivet.request('listEvents', { query: { ...place, types }, signal });
      for (const event of data) await post(url, secret, event);
      place = { cursor: meta.next_cursor };
    } catch (error) {
      if (!signal.aborted) console.error(`Events cannot be forwarded just now: ${error.message}`);
    }
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function post(url, secret, event) {
  const body = JSON.stringify(event);
  const time = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(`${event.id}.${time}.${body}`)
    .digest('base64');
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'webhook-id': event.id,
      'webhook-timestamp': String(time),
      'webhook-signature': `v1,${signature}`,
    },
    body,
  });
  if (!response.ok) console.error(`${url} answered ${response.status} to ${event.type}.`);
}
