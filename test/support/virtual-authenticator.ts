import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** What a test changes of an authenticator that works as it should. */
interface Deviations {
  origin?: string;
  rpId?: string;
  challenge?: string;
  type?: string;
  crossOrigin?: boolean;
  flags?: number;
  counter?: number;
  userHandle?: string;
  /** The attestation statement, in CBOR. */
  attestation?: { format: string; statement: Buffer };
  /** Sign with the key of another authenticator. */
  signer?: VirtualAuthenticator;
}

interface CreationOptions {
  challenge: string;
  rp: { id?: string };
  user: { id: string };
}

interface RequestOptions {
  challenge: string;
  rpId?: string;
}

/** The flags of authenticator data (WebAuthn, section 6.1): present, verified, may be backed up and is, has a key. */
export const FLAGS = { present: 0x01, verified: 0x04, backedUp: 0x18, attested: 0x40 };

const SEEN = FLAGS.present | FLAGS.verified;

/** An authenticator with one passkey, and the browser in front of it. It answers options as `@simplewebauthn/browser` does. */
export class VirtualAuthenticator {
  readonly credentialId = randomBytes(16);
  private readonly key = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  private userHandle = '';
  private counter = 0;

  /** `counts`: whether it counts how often it is used. Those of phones don't. */
  constructor(
    private readonly origin: string,
    private readonly counts = false,
  ) {}

  create({ challenge, rp, user }: CreationOptions, change: Deviations = {}) {
    this.userHandle = user.id;
    const clientData = this.clientData('webauthn.create', challenge, change);
    const { format, statement } = change.attestation ?? { format: 'none', statement: Buffer.from([0xa0]) };
    const id = this.credentialId;
    const length = Buffer.from([id.length >> 8, id.length & 255]);
    const attested = Buffer.concat([Buffer.alloc(16), length, id, this.publicKey()]);
    const data = Buffer.concat([
      this.authenticatorData(rp.id ?? '', { flags: FLAGS.attested | SEEN, ...change }),
      attested,
    ]);
    const object = Buffer.concat([
      Buffer.from([0xa3]),
      ...[text('fmt'), text(format), text('attStmt'), statement, text('authData'), bytes(data)],
    ]);
    return this.credential({
      clientDataJSON: clientData.toString('base64url'),
      attestationObject: object.toString('base64url'),
      transports: ['internal', 'hybrid'],
    });
  }

  get({ challenge, rpId }: RequestOptions, change: Deviations = {}) {
    if (this.counts) this.counter++;
    const clientData = this.clientData('webauthn.get', challenge, change);
    const data = this.authenticatorData(rpId ?? '', { flags: SEEN, ...change });
    const signed = Buffer.concat([data, createHash('sha256').update(clientData).digest()]);
    const key: KeyObject = (change.signer ?? this).key.privateKey;
    return this.credential({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', signed, key).toString('base64url'),
      userHandle: change.userHandle ?? this.userHandle,
    });
  }

  private credential<Response extends object>(response: Response) {
    const id = this.credentialId.toString('base64url');
    const authenticatorAttachment = 'platform';
    return { id, rawId: id, type: 'public-key', response, clientExtensionResults: {}, authenticatorAttachment };
  }

  private clientData(type: string, challenge: string, change: Deviations): Buffer {
    const { origin = this.origin, crossOrigin = false } = change;
    const data = { type: change.type ?? type, challenge: change.challenge ?? challenge, origin, crossOrigin };
    return Buffer.from(JSON.stringify(data));
  }

  private authenticatorData(rpId: string, change: Deviations & { flags: number }): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(change.counter ?? this.counter);
    const hash = createHash('sha256')
      .update(change.rpId ?? rpId)
      .digest();
    return Buffer.concat([hash, Buffer.from([change.flags]), counter]);
  }

  /** A COSE key (RFC 9053): kty EC2, alg ES256, crv P-256, x, y. */
  private publicKey(): Buffer {
    const { x = '', y = '' } = this.key.publicKey.export({ format: 'jwk' });
    const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]);
    const [forX, forY] = [x, y].map((part) => bytes(Buffer.from(part, 'base64url')));
    return Buffer.concat([head, Buffer.from([0x21]), forX!, Buffer.from([0x22]), forY!]);
  }
}

/** A text of CBOR (RFC 8949). */
function text(value: string): Buffer {
  return Buffer.concat([header(0x60, value.length), Buffer.from(value)]);
}

/** Bytes in CBOR. */
function bytes(value: Buffer): Buffer {
  return Buffer.concat([header(0x40, value.length), value]);
}

function header(type: number, length: number): Buffer {
  if (length < 24) return Buffer.from([type | length]);
  return length < 256 ? Buffer.from([type | 24, length]) : Buffer.from([type | 25, length >> 8, length & 255]);
}
