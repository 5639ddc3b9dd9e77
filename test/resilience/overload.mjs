/** Twice the load that the service can sustain, from one tenant or from several. */
import { offer, sustainableRate } from './open-loop.mjs';
import { rawRequest } from './toolkit.mjs';

const TIMES = 2;
const CONNECTIONS = 32;
const MAX_CONNECTIONS = 3_000;
const ENTRIES = 200;
/** Allows for an update that lost a conflict and waits in its tenant's queue again. */
const ACCEPTED_P99_MS = 5_000;
/** The share of the sustainable rate. Rejecting the rest, and sending it, use the same cores. */
const ACCEPTED_SHARE = 1 / 5;
const MIX = ['get', 'get', 'list', 'get', 'create', 'get', 'update', 'list', 'get', 'search'];

/** Creates a content type with entries for the tenant, unless it exists. */
export async function prepareTenant(t, { tenantId, key }) {
  const types = `/v1/content/${tenantId}/types`;
  const request = async (method, path, body) => {
    const answer = await t.send(method, path, body, { key });
    if (answer?.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
    return JSON.parse(answer.text).data;
  };
  const existing = (await request('GET', types))[0];
  const fields = [
    { name: 'title', type: 'text' },
    { name: 'number', type: 'integer' },
  ];
  const { id } = existing ?? (await request('POST', types, { name: 'Overload', fields }));
  const path = `${types}/${id}/entries`;
  if (!existing) {
    await t.each(ENTRIES, 4, (number) => request('POST', path, { fields: { title: `Overload ${number}`, number } }));
  }
  const entries = await request('GET', `${path}?per_page=100`);
  return requestsOf(
    path,
    key,
    entries.map((entry) => entry.id),
  );
}

/** Returns a function that gives the bytes of each request of the mix in turn. */
function requestsOf(path, key, ids) {
  const get = ids.map((id) => Buffer.from(rawRequest('GET', `${path}/${id}`, { key })));
  const list = Buffer.from(rawRequest('GET', `${path}?per_page=25`, { key }));
  const search = Buffer.from(rawRequest('GET', `${path}?search=overload&per_page=10`, { key }));
  return (turn) => {
    const kind = MIX[turn % MIX.length];
    if (kind === 'get') return get[turn % get.length];
    if (kind === 'list') return list;
    if (kind === 'search') return search;
    const body = JSON.stringify({ fields: { title: `Overload ${turn}`, number: turn % 1_000 } });
    if (kind === 'create') return rawRequest('POST', path, { key, body });
    return rawRequest('PATCH', `${path}/${ids[turn % ids.length]}`, { key, body });
  };
}

export async function findRate(t, requests) {
  const { port } = t;
  const seconds = t.size(4, 2);
  // A first run to warm up.
  await sustainableRate({ port, requests, connections: CONNECTIONS, seconds: 1 });
  return sustainableRate({ port, requests, connections: CONNECTIONS, seconds });
}

/** Offers twice the rate until the attack is over, and returns the faults. */
export async function overload(t, requests, sustainable) {
  const rate = TIMES * sustainable.rate;
  const { port } = t;
  const run = await offer({ port, requests, rate, maxConnections: MAX_CONNECTIONS, isOver: () => t.isOver });
  const { tally, offered, seconds, connections } = run;
  const { accepted, refused } = tally.counts;
  const perSecond = (count) => Math.round(count / seconds);
  const p = (histogram, share) => `${Math.round(histogram.quantile(share))} ms`;
  t.note(
    `sustainable: ${Math.round(sustainable.rate)} a second over ${CONNECTIONS} connections, p99 ${Math.round(sustainable.p99)} ms`,
  );
  t.note(
    `offered ${perSecond(offered)} a second: accepted ${perSecond(accepted)} (p50 ${p(tally.accepted, 0.5)}, p99 ${p(tally.accepted, 0.99)}), ` +
      `503 ${perSecond(refused)} (p99 ${p(tally.refused, 0.99)}), not sent ${perSecond(tally.counts['not sent'])}; ${connections} connections`,
  );
  t.counts = { accepted, refused, 'not sent': tally.counts['not sent'], ...Object.fromEntries(tally.wrong()) };
  const faults = tally.wrong().map(([what, count]) => `${count} × ${what}`);
  const p99 = tally.accepted.quantile(0.99);
  if (!(p99 <= ACCEPTED_P99_MS))
    faults.push(`p99 of accepted requests is ${Math.round(p99)} ms; the limit is ${ACCEPTED_P99_MS} ms`);
  if (accepted < sustainable.rate * seconds * ACCEPTED_SHARE)
    faults.push('less than a fifth of the sustainable rate was accepted');
  return faults;
}
