import type request from 'supertest';
import { Database } from '../../src/database/database.js';
import { newUuid, parseId } from '../../src/ids/type-id.js';
import { canonicalEmail } from '../../src/fields/formats/email.js';
import { issueInvitation } from '../../src/people/invitations/invitation-token.js';
import { Passwords } from '../../src/people/passwords/passwords.js';
import { BUILT_IN_ROLES } from '../../src/access/built-in-roles.js';
import type { Http, TestApp } from './app.js';

/** A person who is signed in, with a client that sends the cookie as the console does. */
export interface SignedIn {
  cookie: string;
  http: Http;
}

/** The part of `Set-Cookie` that a browser sends back. */
export function cookieOf(response: request.Response): string {
  const [cookie = ''] = [response.headers['set-cookie'] ?? ''].flat();
  return cookie.split(';')[0] ?? '';
}

/** Returns a client that sends the cookie as the console does. */
export function inSession(app: TestApp, cookie: string, headers: Record<string, string> = {}): Http {
  return app.client(undefined, { Cookie: cookie, 'X-Trivet-Console': '1', Origin: app.url, ...headers });
}

/** Signs in with a key, or as a person, and returns a client of the session. */
export async function signIn(
  app: TestApp,
  credentials: { key: string } | Pick<TestPerson, 'email' | 'password'>,
  headers: Record<string, string> = {},
): Promise<SignedIn> {
  const { key, email, password } = credentials as Partial<TestPerson & { key: string }>;
  const body = key === undefined ? { email, password } : { key };
  const response = await app.client(undefined, headers).post('/v1/sessions', body).expect(201);
  const cookie = cookieOf(response);
  return { cookie, http: inSession(app, cookie, headers) };
}

let people = 0;

/** A person whose password is known, with a membership in each of the tenants. Written to the tables: the API needs an email for it. */
export interface TestPerson {
  id: string;
  email: string;
  password: string;
  /** The public IDs of the memberships would be `usr_` and these UUIDs. */
  members: string[];
}

/** Makes a person with the role, by its name, in each of the tenants. */
export async function makePerson(
  app: TestApp,
  tenantIds: readonly string[],
  role = 'owner',
  email = `person${++people}@example.com`,
): Promise<TestPerson> {
  const password = `right horse ${newUuid()}`;
  const id = newUuid();
  const roleId = BUILT_IN_ROLES.find(({ name }) => name === role)?.id ?? role;
  const { database } = app;
  await database.query(
    'INSERT INTO people (id, address, email, name, password, tenants) VALUES ($1, $2, $3, $4, $5, $6)',
    [id, canonicalEmail(email), email, 'Ada', await app.get(Passwords).hash(password, { account: id }), tenantIds],
  );
  const members: string[] = [];
  for (const tenantId of tenantIds) {
    const member = newUuid();
    members.push(member);
    await database.query(
      `INSERT INTO members (tenant_id, id, person_id, address, email, name, role_id, notify_reviews, joined_at)
        VALUES ($1, $2, $3, $4, $5, 'Ada', $6, false, now())`,
      [tenantId, member, id, canonicalEmail(email), email, roleId],
    );
  }
  return { id, email, password, members };
}

/** Makes a person who may read all content, and change the values of these locales alone. */
export async function makeTranslator(
  app: TestApp,
  tenant: { id: string; http: Http },
  locales: readonly string[],
): Promise<TestPerson> {
  const role = { name: 'translator', scopes: ['content:read', 'content:write'], locales };
  const { body } = await tenant.http.post(`/v1/roles/${tenant.id}`, role).expect(201);
  return makePerson(app, [tenant.id], parseId('rol', (body as { data: { id: string } }).data.id) ?? '');
}

/** Gives the person another built-in role in the tenant, and lets every process know. */
export async function setRole(app: TestApp, tenantId: string, person: TestPerson, role: string): Promise<void> {
  const roleId = BUILT_IN_ROLES.find(({ name }) => name === role)?.id ?? role;
  await app.database.query('UPDATE members SET role_id = $3 WHERE tenant_id = $1 AND person_id = $2', [
    tenantId,
    person.id,
    roleId,
  ]);
  await app.database.query(
    `INSERT INTO access_versions AS v (tenant_id, version, ended) VALUES ($1, 1, 0)
      ON CONFLICT (tenant_id) DO UPDATE SET version = v.version + 1`,
    [tenantId],
  );
}

let invited = 0;

/** An address that no other test uses. */
export function freshEmail(): string {
  return `invited${++invited}@example.org`;
}

/** Somebody who was invited over the API, with a token of the invitation. */
export interface TestInvitation {
  id: string;
  email: string;
  token: string;
}

/** Invites somebody to the tenant, with its key or in a session. */
export async function invite(
  app: TestApp,
  tenant: { id: string; http: Http },
  body: { email?: string; name?: string; role?: string } = {},
): Promise<TestInvitation> {
  const { email = freshEmail(), role = 'editor', ...rest } = body;
  const answer = await tenant.http.post(`/v1/users/${tenant.id}`, { email, role, ...rest }).expect(201);
  const { id } = (answer.body as { data: { id: string } }).data;
  return { id, email, token: await tokenOf(app, tenant.id, id) };
}

/** Returns a token of the invitation, in place of that in the email. */
export async function tokenOf(app: TestApp, tenantId: string, userId: string): Promise<string> {
  return issueInvitation(app.get(Database), tenantId, parseId('usr', userId) ?? '');
}

/** A member who accepted an invitation, and is signed in. */
export interface TestMember extends SignedIn {
  id: string;
  email: string;
  password: string;
}

/** Invites somebody, who accepts. */
export async function join(
  app: TestApp,
  tenant: { id: string; http: Http },
  body: { email?: string; name?: string; role?: string } = {},
): Promise<TestMember> {
  const { id, email, token } = await invite(app, tenant, body);
  const password = `right horse ${newUuid()}`;
  const response = await app
    .client()
    .post(`/v1/invitations/${token}`, { name: body.name ?? 'Ada Lovelace', password })
    .expect(201);
  const cookie = cookieOf(response);
  return { id, email, password, cookie, http: inSession(app, cookie) };
}
