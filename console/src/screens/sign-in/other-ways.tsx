import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { signIn, signInMethods, type Session } from '../../api/sessions';
import { BASE } from '../../base';
import { Button } from '../../parts/button';
import { ProblemMessage } from '../../parts/problem-message';
import { keepFragment } from '../../session/fragment';
import { answerWithPasskey, hasPasskeys } from '../../session/passkeys';
import styles from './other-ways.module.css';

interface OtherWaysProps {
  onSignedIn: (session: Session) => void;
  returnTo?: string;
  children: ReactNode;
}

/** What else the installation offers besides a password. */
export function OtherWays({ onSignedIn, returnTo, children }: OtherWaysProps) {
  const { data: methods } = useQuery({ queryKey: ['methods'], queryFn: signInMethods, staleTime: Infinity });
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => signIn({ passkey: await answerWithPasskey() }),
    onSuccess: onSignedIn,
  });
  return (
    <div className={styles.ways}>
      <p className={styles.or}>or</p>
      <ProblemMessage error={error} />
      {methods?.passkeys && hasPasskeys() && (
        <Button isWide isBusy={isPending} onClick={() => mutate()}>
          Sign in with a passkey
        </Button>
      )}
      {methods?.oidc.map(({ id, name }) => (
        <Button key={id} isWide onClick={() => startAt(id, returnTo)}>
          Sign in with {name}
        </Button>
      ))}
      {children}
    </div>
  );
}

/** Goes to the provider, or opens it beside a page that must not be left. */
function startAt(provider: string, returnTo: string | undefined): void {
  const [page = '', fragment] = (returnTo ?? '').split('#');
  const target = `/console${page === '/' ? '' : page}`;
  const path = `${BASE}/v1/oidc/${encodeURIComponent(provider)}/start?return_to=${encodeURIComponent(target)}`;
  if (returnTo === undefined) {
    window.open(path, '_blank', 'noopener');
    return;
  }
  if (fragment !== undefined) keepFragment(BASE + target, fragment);
  window.location.assign(path);
}
