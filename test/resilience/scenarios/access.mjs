import { Client } from '../client.mjs';

const GOOD = 'https://good.example';
const EVIL = 'https://evil.example';
const ENTRY_EVENTS = { url: 'https://hooks.example.com/x', events: ['entry.created'] };

export default {
  finding: 12,
  title:
    'scopes of webhooks, allowed origins, preflights, /metrics in production, a PATCH that repeats a secret (finding 11)',
  tenantSettings: { allowed_origins: [GOOD] },

  async play(world) {
    await world.restart();
    const tenantId = 'ten_access';
    const keys = world.keysOf(tenantId);
    const client = new Client(world.service, { tenantId, key: keys.all });
    const faults = [
      ...(await scopes(client, keys)),
      ...(await origins(client)),
      ...(await preflights(client)),
      ...(await metrics(client)),
      ...(await repeatedSecret(client)),
    ];
    return { faults };
  },
};

async function scopes(client, keys) {
  const faults = [];
  for (const name of ['webhooks', 'write']) {
    const { status } = await client.send('POST', client.webhooks, ENTRY_EVENTS, { key: keys[name] });
    if (status !== 403)
      faults.push(
        `a key with the scope ${name === 'write' ? 'write' : 'webhooks:write'} subscribed to entry.created: ${status}`,
      );
  }
  const { status } = await client.send('POST', client.webhooks, ENTRY_EVENTS);
  if (status !== 201) faults.push(`a key with every scope could not subscribe: ${status}`);
  return faults;
}

async function origins(client) {
  const form = await client.ask('POST', client.forms, { name: 'Origin', fields: [{ name: 'message', type: 'text' }] });
  const path = `${client.forms}/${form.id}/submissions`;
  const submit = (origin) => {
    const headers = origin ? { origin } : {};
    return client.send('POST', path, { fields: { message: origin ?? 'none' } }, { key: undefined, headers });
  };
  const [evil, good, none] = [await submit(EVIL), await submit(GOOD), await submit()];
  const stored = (await client.ask('GET', path)).map(({ fields }) => fields.message);
  const faults = [];
  if (evil.status < 400 || evil.status >= 500) faults.push(`a submission from a disallowed origin got ${evil.status}`);
  if (stored.includes(EVIL)) faults.push('a submission from a disallowed origin was stored');
  if (good.status !== 201 || none.status !== 201)
    faults.push(`allowed submissions got ${good.status} and ${none.status}`);
  return faults;
}

/** Responses for an existing and an unknown tenant must be equal. */
async function preflights(client) {
  const ask = async (tenantId) => {
    const headers = {
      origin: EVIL,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    };
    const path = `/v1/forms/${tenantId}/contact/submissions`;
    const answer = await client.send('OPTIONS', path, undefined, { key: undefined, headers });
    return JSON.stringify([answer.status, { ...answer.headers, date: undefined, 'x-request-id': undefined }]);
  };
  const [known, unknown] = [await ask(client.tenantId), await ask('ten_nobody')];
  return known === unknown ? [] : ['a preflight reveals whether the tenant exists'];
}

async function metrics(client) {
  const { status } = await client.send('GET', '/metrics', undefined, { key: undefined });
  return status === 404 ? [] : [`/metrics without a token got ${status} in production`];
}

async function repeatedSecret(client) {
  const secret = 'a secret that is repeated';
  const { id } = await client.ask('POST', client.webhooks, { ...ENTRY_EVENTS, secret });
  const path = `${client.webhooks}/${id}`;
  await client.send('PATCH', path, { secret, url: 'https://hooks.example.com/changed' });
  const { url } = await client.ask('GET', path);
  return url.endsWith('/changed') ? [] : ['a PATCH that repeats the secret dropped the new url'];
}
