import { request } from './request';
import type { Session } from './sessions';

/** What an invitation is for. */
export interface Invitation {
  readonly tenant: { readonly id: string; readonly name: string };
  readonly email: string;
  readonly name?: string;
  /** The address belongs to somebody, who must sign in to accept. */
  readonly sign_in?: true;
}

/** How somebody who has no account yet will sign in; nothing for a person who is signed in. */
export type Acceptance =
  { readonly name: string; readonly password: string } | { readonly name: string; readonly passkey: object };

interface Data<T> {
  readonly data: T;
}

const asking = { isSigningIn: true };
const pathOf = (token: string) => `/v1/invitations/${encodeURIComponent(token)}`;

export async function getInvitation(token: string): Promise<Invitation> {
  return (await request<Data<Invitation>>('GET', pathOf(token), asking)).data;
}

export async function acceptInvitation(token: string, acceptance?: Acceptance): Promise<Session> {
  return (await request<Data<Session>>('POST', pathOf(token), { ...asking, ...(acceptance && { body: acceptance }) }))
    .data;
}

/** Options of `startRegistration`. */
export async function invitationPasskey<Options>(token: string): Promise<Options> {
  const answer = await request<Data<Options>>('POST', `${pathOf(token)}/options`, asking);
  return answer.data;
}
