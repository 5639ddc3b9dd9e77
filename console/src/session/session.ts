import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { ApiProblem } from '../api/problem';
import { onSessionEnd } from '../api/request';
import { currentSession, type Session, signOut } from '../api/sessions';
import { CONSOLE } from '../base';
import { identityOf } from './identity';
import { settleSession, waitForSession } from './session-end';

export const SESSION_KEY = ['session'];

/** Who the page belongs to. What it shows and holds is nobody else's. */
let owner: string | undefined;

/** Null: nobody is signed in. */
const sessionQuery = queryOptions({ queryKey: SESSION_KEY, queryFn: findSession, staleTime: 60_000, retry: false });

export function useSessionQuery() {
  return useQuery(sessionQuery);
}

/** For pages that are only shown with a session. */
export function useSession(): Session {
  const { data } = useSessionQuery();
  if (!data) throw new Error('There is no session.');
  return data;
}

/** Returns what to do with a new session. If it is somebody else's, the page begins anew. */
export function useBeginSession(): (session: Session) => void {
  const client = useQueryClient();
  return (session) => begin(client, session);
}

/** Shows nothing any more of what the session could see. */
export function leave(): void {
  window.location.replace(`${CONSOLE}/sign-in`);
}

/** Returns what signs out without leaving the page. */
export function useForgetSession(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await signOut();
    owner = undefined;
    client.removeQueries({ type: 'inactive' });
    client.setQueryData(SESSION_KEY, null);
  };
}

/** Throws an ApiProblem if the session may still be open. */
export async function signOutAndLeave(): Promise<void> {
  try {
    await signOut();
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.status !== 401) throw error;
  }
  leave();
}

onSessionEnd(() => (owner === undefined ? Promise.resolve(false) : waitForSession()));

async function findSession(): Promise<Session | null> {
  try {
    const session = await currentSession();
    if (owner !== undefined && owner !== identityOf(session)) startAnew();
    owner = identityOf(session);
    return session;
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.status !== 401) throw error;
    if (owner !== undefined && (await waitForSession())) return findSession();
    return null;
  }
}

function begin(client: QueryClient, session: Session): void {
  const isOther = owner !== undefined && owner !== identityOf(session);
  if (isOther) return startAnew();
  owner = identityOf(session);
  client.setQueryData(SESSION_KEY, session);
  settleSession(true);
}

function startAnew(): void {
  window.location.replace(CONSOLE);
}
