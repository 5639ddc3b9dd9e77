import { request } from './request';
import type { EnteredTenant, Session } from './sessions';

/** Who is signed in, where they may go, and about what they get emails. */
export interface Me extends Pick<Session, 'user' | 'key'> {
  readonly tenants: readonly (EnteredTenant & { readonly notify_reviews?: boolean })[];
}

export interface MySession {
  readonly id: string;
  readonly created_at: string;
  readonly last_seen_at: string;
  readonly browser: string;
  readonly current: boolean;
}

export interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
}

export interface MyChanges {
  readonly name?: string;
  readonly password?: string;
  readonly current_password?: string;
  readonly notify_reviews?: Readonly<Record<string, boolean>>;
}

interface Data<T> {
  readonly data: T;
}

export async function getMe(signal?: AbortSignal): Promise<Me> {
  return (await request<Data<Me>>('GET', '/v1/me', { signal })).data;
}

export async function changeMe(body: MyChanges): Promise<Me> {
  return (await request<Data<Me>>('PATCH', '/v1/me', { body })).data;
}

export async function mySessions(signal?: AbortSignal): Promise<readonly MySession[]> {
  return (await request<Data<MySession[]>>('GET', '/v1/me/sessions', { signal })).data;
}

export async function endSession(id: string): Promise<void> {
  await request('DELETE', `/v1/me/sessions/${id}`);
}

export async function myPasskeys(signal?: AbortSignal): Promise<readonly Passkey[]> {
  return (await request<Data<Passkey[]>>('GET', '/v1/me/passkeys', { signal })).data;
}

/** Options of `startRegistration`. */
export async function passkeyCreation<Options>(): Promise<Options> {
  return (await request<Data<Options>>('POST', '/v1/me/passkeys/options')).data;
}

export async function addPasskey(passkey: object, name?: string): Promise<Passkey> {
  return (await request<Data<Passkey>>('POST', '/v1/me/passkeys', { body: { passkey, ...(name && { name }) } })).data;
}

export async function deletePasskey(id: string): Promise<void> {
  await request('DELETE', `/v1/me/passkeys/${id}`);
}
