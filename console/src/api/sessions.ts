import { request } from './request';

/** A tenant that the session may enter, and what it may do there. */
export interface EnteredTenant {
  readonly id: string;
  readonly name: string;
  readonly role: string | null;
  readonly scopes: readonly string[];
  readonly locales?: readonly string[];
  readonly user_id?: string;
}

export interface Session {
  readonly id: string;
  readonly user?: { readonly id: string; readonly name: string; readonly email: string };
  readonly key?: { readonly id: string; readonly name: string };
  readonly tenants: readonly EnteredTenant[];
  readonly expires_at: string;
}

interface SignInMethods {
  readonly password: boolean;
  readonly passkeys: boolean;
  readonly oidc: readonly { readonly id: string; readonly name: string }[];
}

type Credentials =
  | { readonly email: string; readonly password: string }
  | { readonly key: string }
  | { readonly token: string }
  | { readonly passkey: object };

interface Data<T> {
  readonly data: T;
}

const asking = { isSigningIn: true };

export async function currentSession(): Promise<Session> {
  return (await request<Data<Session>>('GET', '/v1/sessions/current', asking)).data;
}

export async function signIn(credentials: Credentials): Promise<Session> {
  return (await request<Data<Session>>('POST', '/v1/sessions', { ...asking, body: credentials })).data;
}

export async function signOut(): Promise<void> {
  await request('DELETE', '/v1/sessions/current', asking);
}

export async function signInMethods(): Promise<SignInMethods> {
  return (await request<Data<SignInMethods>>('GET', '/v1/sessions/methods', asking)).data;
}

/** Options of `startAuthentication`. */
export async function passkeyRequest<Options>(): Promise<Options> {
  return (await request<Data<Options>>('POST', '/v1/sessions/options', asking)).data;
}

export async function requestReset(email: string): Promise<void> {
  await request('POST', '/v1/password-resets', { ...asking, body: { email } });
}

export async function resetPassword(token: string, password: string): Promise<Session> {
  const path = `/v1/password-resets/${encodeURIComponent(token)}`;
  return (await request<Data<Session>>('POST', path, { ...asking, body: { password } })).data;
}
