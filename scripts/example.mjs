/**
 * Runs the example site on the demo: `npm run example`, while the service runs and after `npm run demo`. It finds the service as the demo does.
 *
 * What somebody sets up once for a real site is set up here, and undone at the end: a key for the site alone, a webhook, and the `preview_url`
 * of the articles. PORT is the port of the site; without it, a free one is taken.
 */
import { randomBytes } from 'node:crypto';
import { forwardEvents } from './example/forward-events.mjs';
import { findService } from './find-service.mjs';

const EVENTS = ['entry.created', 'entry.updated', 'entry.published', 'entry.unpublished', 'entry.deleted'];
const ARTICLE = 'magazine-article';

const { base, tenant, key } = await findService().catch((error) => fail(error.message));
const { createClient } = await import('@trivet/client');
const trivet = createClient({ url: base, tenant, key });
const article = { path: { content_type_id: ARTICLE } };
await trivet.request('getContentType', article).catch(() => fail('There is no magazine yet. Make one: npm run demo'));

const undone = [];
process.once('SIGINT', end);
process.once('SIGTERM', end);

const secret = `whsec_${randomBytes(32).toString('base64')}`;
Object.assign(process.env, {
  TRIVET_URL: base,
  TRIVET_TENANT: tenant,
  TRIVET_KEY: await keyOfSite(),
  TRIVET_CONSOLE: await consoleOrigin(),
  WEBHOOK_SECRET: secret,
});
const { address } = await import('../examples/site/src/server.js');
await setUpPreview();
console.log(await setUpWebhook());

function fail(message) {
  console.error(message);
  process.exit(1);
}

/** A key that reads published entries and submits forms. It is revoked at the end, and expires if this command is killed. */
async function keyOfSite() {
  const body = { name: 'Example site', scopes: ['content:read:published', 'forms:write'], expires_in: 30 * 86_400 };
  const { data } = await trivet.request('createKey', { body });
  undone.push(() => trivet.request('revokeKey', { path: { key_id: data.id } }));
  return data.key;
}

/** The console may have another host than the API: it leads browsers there. */
async function consoleOrigin() {
  const { url } = await fetch(`${base}/console`);
  return new URL(url).origin;
}

async function setUpPreview() {
  const preview_url = `${address}/articles/{slug}?preview={token}`;
  await trivet.request('updateContentType', { ...article, body: { preview_url } });
  undone.push(() => trivet.request('updateContentType', { ...article, body: { preview_url: null } }));
}

/** The service sends webhooks to this machine only if WEBHOOK_ALLOW_PRIVATE_NETWORKS allows it. Otherwise this command forwards the events. */
async function setUpWebhook() {
  const url = `${address}/webhook`;
  try {
    const { data } = await trivet.request('createWebhook', { body: { url, events: EVENTS, secret, payload: 'thin' } });
    undone.push(() => trivet.request('deleteWebhook', { path: { webhook_id: data.id } }));
    return 'A webhook tells it what changes.';
  } catch (error) {
    if (error.status !== 422) throw error;
    undone.push(forwardEvents({ trivet, url, secret, types: EVENTS }));
    return 'This command forwards the events to it, signed as a webhook: the service sends none to this machine.';
  }
}

/** Undoes what was set up. The service may have ended before. */
async function end() {
  await Promise.allSettled(undone.map((undo) => undo()));
  process.exit(0);
}
