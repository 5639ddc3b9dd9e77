import { PublicUrl } from '../../src/http/public-url.js';
import { Database } from '../../src/database/database.js';
import { issueToken } from '../../src/people/one-time-tokens.js';
import type { TestApp } from './app.js';
import type { Method } from './api.js';
import { cookieOf, freshEmail, makePerson, tokenOf } from './people.js';
import type { Call, Player } from './scenario.js';
import { VirtualAuthenticator } from './virtual-authenticator.js';

type Options = Parameters<VirtualAuthenticator['create']>[0] & Parameters<VirtualAuthenticator['get']>[0];

/** A person's ways in and out: each operation of sessions, of the person who is signed in, and of new passwords. */
export async function playSessions(player: Player, app: TestApp): Promise<void> {
  const anonymous = (method: Method, path: string, body?: object) => player.callWithoutKey(method, path, body);
  const person = await makePerson(app, [player.tenant.id]);
  const { email, password } = person;
  const signedIn = async (body: object) => {
    const response = await app.client().post('/v1/sessions', body).expect(201);
    const headers = { Cookie: cookieOf(response), 'X-Trivet-Console': '1', Origin: app.get(PublicUrl).base };
    return (method: Method, path: string, sent?: object) => player.callWithoutKey(method, path, sent, headers);
  };
  await anonymous('get', '/v1/sessions/methods');
  await anonymous('get', '/v1/sessions/current');
  await anonymous('post', '/v1/sessions', { email, password });
  await anonymous('post', '/v1/sessions', { email, password: 'wrong horse' });
  await anonymous('post', '/v1/sessions', { email });
  await anonymous('post', '/v1/sessions', { token: 'tvl_x' });

  const inSession = await signedIn({ email, password });
  await inSession('get', `/v1/usage/${player.tenant.id}`);
  await inSession('get', '/v1/sessions/current');
  await inSession('get', '/v1/me');
  await inSession('patch', '/v1/me', { name: 'Ada Lovelace', notify_reviews: { [player.tenant.id]: true } });
  await inSession('patch', '/v1/me', { name: '' });
  const made = await inSession('post', `/v1/keys/${player.tenant.id}`, { name: 'Of a person', scopes: ['*'] });
  const Authorization = `Bearer ${(made.body as { data: { key: string } }).data.key}`;
  const role = { name: 'Of a key', scopes: ['content:read'] };
  await player.callWithoutKey('post', `/v1/roles/${player.tenant.id}`, role, { Authorization });
  await inSession('patch', '/v1/me', { password: 'four words of my own', current_password: password });
  await signedIn({ email, password: 'four words of my own' });
  const { body } = await inSession('get', '/v1/me/sessions');
  const [other] = (body as { data: { id: string }[] }).data;
  await inSession('delete', `/v1/me/sessions/${other?.id}`);
  await inSession('delete', `/v1/me/sessions/${other?.id}`);
  await playPasskeys(player, app, inSession);

  await anonymous('post', '/v1/password-resets', { email });
  await anonymous('post', '/v1/password-resets', {});
  const token = await issueToken(app.get(Database), { purpose: 'reset', subject: person.id, seconds: 60 });
  await anonymous('post', `/v1/password-resets/${token}`, { password: 'short' });
  await anonymous('post', `/v1/password-resets/${token}`, { password: 'other words of my own' });
  await anonymous('post', `/v1/password-resets/${token}`, { password: 'other words of my own' });

  const last = await signedIn({ key: player.tenant.key });
  await last('get', '/v1/me');
  await last('get', '/v1/me/sessions');
  await last('delete', '/v1/sessions/current');
}

async function playPasskeys(
  player: Player,
  app: TestApp,
  inSession: (method: Method, path: string, sent?: object) => Promise<Call>,
): Promise<void> {
  const authenticator = new VirtualAuthenticator(app.get(PublicUrl).console);
  const optionsOf = (call: Call) => (call.body as { data: Options }).data;
  const passkey = authenticator.create(optionsOf(await inSession('post', '/v1/me/passkeys/options')));
  await inSession('post', '/v1/me/passkeys', { passkey, name: 'Key ring' });
  await inSession('post', '/v1/me/passkeys', { passkey });
  const { body } = await inSession('get', '/v1/me/passkeys');
  const [made] = (body as { data: { id: string }[] }).data;
  const asked = await player.callWithoutKey('post', '/v1/sessions/options');
  await player.callWithoutKey('post', '/v1/sessions', { passkey: authenticator.get(optionsOf(asked)) });
  await player.callWithoutKey('post', '/v1/sessions', { passkey: { id: 'x' } });
  await inSession('delete', `/v1/me/passkeys/${made?.id}`);
  await inSession('delete', `/v1/me/passkeys/${made?.id}`);

  const users = `/v1/users/${player.tenant.id}`;
  const invited = await player.create(users, { email: freshEmail(), role: 'viewer' });
  const path = `/v1/invitations/${await tokenOf(app, player.tenant.id, invited)}`;
  const own = new VirtualAuthenticator(app.get(PublicUrl).console);
  const created = own.create(optionsOf(await player.callWithoutKey('post', `${path}/options`)));
  await player.callWithoutKey('post', path, { name: 'Barbara Liskov', passkey: created });
}
