import { createPublicKey, verify } from 'node:crypto';
import { sign } from './signature.js';
import { newSigningKeyPair, signEd25519 } from './signing-keys.js';

const isGenuine = (publicKey: string, content: string, signature: string) => {
  const x = Buffer.from(publicKey.replace('whpk_', ''), 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, Buffer.from(content), key, Buffer.from(signature, 'base64'));
};

describe('a signing key pair', () => {
  it('has the forms of the specification, and another key each time', () => {
    const { privateKey, publicKey } = newSigningKeyPair();
    expect(privateKey).toMatch(/^whsk_[A-Za-z0-9+/]{86}==$/);
    expect(publicKey).toMatch(/^whpk_[A-Za-z0-9+/]{43}=$/);
    const bytes = Buffer.from(privateKey.slice(5), 'base64');
    expect(bytes.subarray(32).toString('base64')).toBe(publicKey.slice(5));
    expect(newSigningKeyPair().publicKey).not.toBe(publicKey);
  });

  it('signs as RFC 8032 specifies', () => {
    const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex');
    const signature = Buffer.from(signEd25519(`whsk_${seed.toString('base64')}`, ''), 'base64').toString('hex');
    expect(signature).toMatch(/^e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155/);
  });

  it('signs the ID, the time and the body, after the signatures of the secrets', () => {
    const { privateKey: signingKey, publicKey } = newSigningKeyPair();
    const signable = { id: 'evt_01', timestampSeconds: 1_674_087_231, body: '{"ü":1}' };
    const { 'webhook-signature': both = '' } = sign({ ...signable, secrets: ['secret'], signingKey });
    const [first, second = ''] = both.split(' ');
    expect(first).toMatch(/^v1,/);
    expect(second).toMatch(/^v1a,/);
    expect(isGenuine(publicKey, 'evt_01.1674087231.{"ü":1}', second.slice(4))).toBe(true);
    expect(isGenuine(publicKey, 'evt_01.1674087231.{"ü":2}', second.slice(4))).toBe(false);
    expect(sign({ ...signable, secrets: [], signingKey })).toMatchObject({ 'webhook-signature': second });
  });
});
