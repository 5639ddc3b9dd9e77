import { useState } from 'react';
import type { Session } from '../../api/sessions';
import { Button } from '../../parts/button';
import { KeyForm } from './key-form';
import { OtherWays } from './other-ways';
import { PasswordForm } from './password-form';

interface SignInFormProps {
  onSignedIn: (session: Session) => void;
  /** The address, where it is known already: it cannot be changed. */
  email?: string;
  /** Somebody was signed in with a key. */
  isKey?: boolean;
  /** The path below the console that a provider leads back to. Without it, providers open in another tab. */
  returnTo?: string;
}

/** All ways of signing in that the installation offers. */
export function SignInForm({ onSignedIn, email, isKey = false, returnTo }: SignInFormProps) {
  const [usesKey, setUsesKey] = useState(isKey);
  return usesKey ? (
    <>
      <KeyForm onSignedIn={onSignedIn} />
      <Button look="quiet" isWide onClick={() => setUsesKey(false)}>
        Use an email address
      </Button>
    </>
  ) : (
    <>
      <PasswordForm onSignedIn={onSignedIn} email={email} />
      <OtherWays onSignedIn={onSignedIn} returnTo={returnTo}>
        <Button look="quiet" isWide onClick={() => setUsesKey(true)}>
          Use an API key
        </Button>
      </OtherWays>
    </>
  );
}
