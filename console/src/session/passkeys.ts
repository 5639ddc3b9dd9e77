import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { passkeyRequest } from '../api/sessions';

const NOT_USED = 'No passkey was used. Try again, or choose another way.';
const NOT_MADE = 'No passkey was made. Try again, or choose another way.';

/** Whether this browser knows passkeys. */
export function hasPasskeys(): boolean {
  return typeof window.PublicKeyCredential === 'function';
}

/** Asks the person for a passkey, and returns what the browser says. Throws an Error with a sentence if there is none. */
export async function answerWithPasskey(): Promise<object> {
  const optionsJSON = await passkeyRequest<PublicKeyCredentialRequestOptionsJSON>();
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return orSay(NOT_USED, () => startAuthentication({ optionsJSON }));
}

/** Makes a passkey with these options. Throws an Error with a sentence if there is none. */
export async function makePasskey(optionsJSON: PublicKeyCredentialCreationOptionsJSON): Promise<object> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  return orSay(NOT_MADE, () => startRegistration({ optionsJSON }));
}

async function orSay<T>(sentence: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Error && error.name === 'InvalidStateError') {
      throw new Error('This device has a passkey for the account already.', { cause: error });
    }
    throw new Error(sentence, { cause: error });
  }
}
