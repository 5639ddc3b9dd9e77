/** People. A part of an account, a sign-in or a reset is a placeholder: `{{new.account.cookie}}`. */
import { PEOPLE_TENANTS, TENANT } from './names.mjs';

export const PASSWORD = 'four unusual words of mine';
/** The kinds of `World.make` that have parts. */
export const WITH_PARTS = ['account', 'flow', 'reset'];

/**
 * The one list of what is not fuzzed with requests that succeed. Passkeys need an authenticator, which test/people/passkeys has; the only locale that
 * fuzzed entries have values in cannot be taken off; a schema is applied with the hash of a plan; no purge is in progress. These operations get all other requests.
 */
export const WITHOUT_SUCCESS = ['addMyPasskey', 'applySchema', 'deleteMyPasskey', 'getPurge', 'setEntryLocale'];

export class People {
  made = 0;

  constructor(world) {
    this.world = world;
  }

  /** A member of the fuzzed tenant who reads in a session. Nobody changes it. */
  async makeReader() {
    const { email, cookie } = await this.makeAccount(TENANT, 'all');
    this.world.names.set('session', cookie).set('reader', email);
  }

  make(kind) {
    if (kind === 'flow') return this.beginFlow();
    const tenant = PEOPLE_TENANTS[this.made++ % PEOPLE_TENANTS.length];
    return kind === 'reset' ? this.makeReset(tenant) : this.makeAccount(tenant);
  }

  /** A sign-in that has come back from the provider: {cookie, state, code}. */
  async beginFlow() {
    const person = this.world.unique();
    const response = await this.send('GET', '/v1/oidc/fuzz/start');
    const state = new URL(response.headers.get('location')).searchParams;
    this.world.provider.nonces.set(person, state.get('nonce'));
    return { cookie: cookieOf(response), state: state.get('state'), code: person };
  }

  /** Somebody who has accepted an invitation: {email, tenant, cookie, session, path, key}. */
  async makeAccount(tenant, key = tenant) {
    const { world } = this;
    const email = `${world.unique()}@example.com`;
    const { id } = await world.create(`/v1/users/${tenant}`, { email, role: 'editor' }, { key });
    const token = await world.tokenIn(email, 'tvi_');
    const body = { name: 'Ada', password: PASSWORD };
    const response = await this.send('POST', `/v1/invitations/${token}`, { body });
    const session = (await response.json()).data.id;
    return { email, tenant, cookie: cookieOf(response), session, path: `/v1/users/${tenant}/${id}`, key };
  }

  /** Somebody who has asked for a new password: {token, path, key}. */
  async makeReset(tenant) {
    const { email, path, key } = await this.makeAccount(tenant);
    await this.send('POST', '/v1/password-resets', { body: { email } });
    return { token: await this.world.tokenIn(email, 'tvr_'), path, key };
  }

  async send(method, path, { body } = {}) {
    const response = await fetch(this.world.service.url + path, {
      method,
      redirect: 'manual',
      headers: {
        'X-Forwarded-For': this.world.newAddress(),
        Accept: 'application/json',
        ...(body && { 'Content-Type': 'application/json' }),
      },
      body: body && JSON.stringify(body),
    });
    if (response.status >= 400)
      throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return response;
  }
}

/** What the console sends with a session. */
export function sessionHeaders(cookie) {
  return [
    ['Cookie', cookie],
    ['X-Trivet-Console', '1'],
    ['Origin', '{{origin}}'],
  ];
}

function cookieOf(response) {
  return response.headers
    .getSetCookie()
    .find((cookie) => !cookie.includes('Max-Age=0'))
    .split(';')[0];
}
