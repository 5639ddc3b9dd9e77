import { isIP } from 'node:net';
import { Injectable, Logger } from '@nestjs/common';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { Config } from '../../config/config.js';
import { Problem } from '../../errors/problem.js';
import { PublicUrl } from '../../http/public-url.js';
import { type ChallengePurpose, CHALLENGE_MS, PasskeyChallenges, type UsedChallenge } from './passkey-challenges.js';
import { type Assertion, readCreation } from './passkey-answers.js';

/** EdDSA, ES256 and RS256 of COSE, which all authenticators have one of, and every version of Node.js verifies. */
const ALGORITHMS = [-8, -7, -257];

/** What a browser shows beside a passkey. */
interface PasskeyOwner {
  /** At most 64 bytes that identify the person, and tell nothing of them. */
  userHandle: Uint8Array;
  name: string;
  displayName: string;
}

interface StoredPasskey {
  /** In base64url, at most 1,364 characters. */
  credentialId: string;
  /** A COSE key. */
  publicKey: Uint8Array;
  /** How often the authenticator says that it was used; 0 if it doesn't count. */
  counter: number;
  userHandle: Uint8Array;
}

export interface NewPasskey extends Omit<StoredPasskey, 'userHandle'> {
  /** How browsers reach the authenticator, as they name it: `internal`, `usb`, … */
  transports: string[];
  /** Whether the passkey is on other devices, too. */
  backedUp: boolean;
}

/**
 * Makes and checks passkeys (WebAuthn, level 3) that a person signs in with by themselves: they are found without a name, and verify the person.
 * PasskeyChallenges are stored nowhere. Whoever accepts one must record it until it expires, and refuse it if it is recorded already.
 */
@Injectable()
export class Passkeys {
  private readonly logger = new Logger(Passkeys.name);
  private readonly challenges: PasskeyChallenges;

  constructor(
    { encryptionKeys }: Config,
    private readonly publicUrl: PublicUrl,
  ) {
    this.challenges = new PasskeyChallenges(encryptionKeys);
  }

  /** Whether browsers make passkeys for the address of the console: they need a domain, and https or localhost. */
  get offered(): boolean {
    const { protocol, hostname } = this.console;
    const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
    return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 && (protocol === 'https:' || isLocal);
  }

  /** Throws a 409 if passkeys are not offered. */
  assertOffered(): void {
    this.relyingParty();
  }

  /** Returns the options of `startRegistration`. `exclude`: the credential IDs that the person has. Throws a 409 if passkeys are not offered. */
  async creationOptions(
    { userHandle, name, displayName }: PasskeyOwner,
    exclude: readonly string[],
    purpose: ChallengePurpose,
  ): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const rpID = this.relyingParty();
    const { generateRegistrationOptions } = await library();
    return generateRegistrationOptions({
      rpName: 'Trivet',
      rpID,
      userID: Uint8Array.from(userHandle),
      userName: name,
      userDisplayName: displayName,
      challenge: this.challenges.create(purpose),
      timeout: CHALLENGE_MS,
      attestationType: 'none',
      excludeCredentials: exclude.map((id) => ({ id })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      supportedAlgorithmIDs: ALGORITHMS,
    });
  }

  /** Checks the answer of `startRegistration`. Throws a 422 if it isn't the answer to options for this purpose, or came too late. */
  async verifyCreation(
    value: unknown,
    purpose: ChallengePurpose,
  ): Promise<{ passkey: NewPasskey; challenge: UsedChallenge }> {
    const response = readCreation(value);
    const expectedRPID = this.relyingParty();
    let challenge: UsedChallenge | undefined;
    const created = await this.checked(async () => {
      await assertNoCertificates(response);
      assertOwnFrame(response.response.clientDataJSON);
      const { verifyRegistrationResponse } = await library();
      const { registrationInfo } = await verifyRegistrationResponse({
        response,
        expectedChallenge: (text) => (challenge = this.challenges.verify(text, purpose)) !== undefined,
        expectedOrigin: this.console.origin,
        expectedRPID,
        requireUserVerification: true,
        supportedAlgorithmIDs: ALGORITHMS,
      });
      return registrationInfo;
    });
    if (!created || !challenge || created.credential.id !== response.id) throw notValid();
    const { credential, credentialBackedUp: backedUp } = created;
    const { id: credentialId, publicKey, counter, transports = [] } = credential;
    return { passkey: { credentialId, publicKey, counter, transports: [...transports], backedUp }, challenge };
  }

  /** Returns the options of `startAuthentication`. Throws a 409 if passkeys are not offered. */
  async requestOptions(): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const rpID = this.relyingParty();
    const { generateAuthenticationOptions } = await library();
    const challenge = this.challenges.create('sign in');
    return generateAuthenticationOptions({ rpID, challenge, timeout: CHALLENGE_MS, userVerification: 'required' });
  }

  /**
   * Checks the answer of `startAuthentication` (`readAssertion`) against the passkey that has its `id`. Returns what to store; undefined if the
   * answer is not valid for any reason.
   */
  async verifyRequest(
    response: Assertion,
    { credentialId: id, publicKey, counter, userHandle }: StoredPasskey,
  ): Promise<{ counter: number; backedUp: boolean; challenge: UsedChallenge } | undefined> {
    const expectedRPID = this.relyingParty();
    let challenge: UsedChallenge | undefined;
    const result = await this.checked(async () => {
      if (response.id !== id) throw new Error('the answer of another passkey');
      if (response.response.userHandle !== Buffer.from(userHandle).toString('base64url'))
        throw new Error('the answer of another person');
      assertOwnFrame(response.response.clientDataJSON);
      const { verifyAuthenticationResponse } = await library();
      return verifyAuthenticationResponse({
        response,
        expectedChallenge: (text) => (challenge = this.challenges.verify(text, 'sign in')) !== undefined,
        expectedOrigin: this.console.origin,
        expectedRPID,
        credential: { id, publicKey: Uint8Array.from(publicKey), counter },
        requireUserVerification: true,
      });
    });
    if (!result?.verified || !challenge) return undefined;
    const { newCounter, credentialBackedUp: backedUp } = result.authenticationInfo;
    return { counter: newCounter, backedUp, challenge };
  }

  private get console(): URL {
    return new URL(this.publicUrl.console);
  }

  private relyingParty(): string {
    if (this.offered) return this.console.hostname;
    throw new Problem('conflict', 'Passkeys need a domain with https: the operator sets it with PUBLIC_URL.');
  }

  /** The library throws for everything that is not valid. */
  private async checked<Result>(check: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await check();
    } catch (err) {
      this.logger.debug({ err }, 'A passkey was refused');
      return undefined;
    }
  }
}

/** Takes megabytes, and is not needed where nobody has a passkey. */
function library(): Promise<typeof import('@simplewebauthn/server')> {
  return import('@simplewebauthn/server');
}

/**
 * The options ask for no attestation, so a browser sends none, or one by the passkey itself. The library would follow addresses in the certificates
 * of another one.
 */
async function assertNoCertificates({ response }: RegistrationResponseJSON): Promise<void> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const attestation = decodeAttestationObject(Uint8Array.from(Buffer.from(response.attestationObject, 'base64url')));
  const format = attestation.get('fmt');
  const isOwn = format === 'packed' && attestation.get('attStmt').get('x5c') === undefined;
  if (format !== 'none' && !isOwn) throw new Error('an attestation that was not asked for');
}

/** A page of another site that shows the console in a frame must not use its passkeys. */
function assertOwnFrame(clientDataJSON: string): void {
  const data = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { crossOrigin?: unknown } | null;
  if (data?.crossOrigin) throw new Error('a frame of another origin');
}

function notValid(): Problem {
  const message = 'The passkey was not made for this, or more than five minutes ago. Try again.';
  return Problem.invalid([{ path: 'passkey', code: 'format', message }]);
}
