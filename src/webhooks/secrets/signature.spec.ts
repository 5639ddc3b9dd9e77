import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { faultOfSecret, sign } from './signature.js';

const attempt = { id: 'evt_01', timestampSeconds: 1_674_087_231, body: '{"ü":"🎉"}' };
const now = () => Math.floor(Date.now() / 1000);

describe('the signature', () => {
  it('is missing without a secret', () => {
    expect(sign({ ...attempt, secrets: [] })).toEqual({ 'webhook-id': 'evt_01', 'webhook-timestamp': '1674087231' });
  });

  it('equals the test vector of the reference library', () => {
    const headers = sign({
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestampSeconds: 1_614_265_330,
      body: '{"test": 2432232314}',
      secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    });
    expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('is the HMAC-SHA256 of ID, timestamp and body, as specified', () => {
    const key = Buffer.from('0123456789abcdef0123456789abcdef');
    const expected = createHmac('sha256', key).update(`evt_01.1674087231.${attempt.body}`, 'utf8').digest('base64');
    const decoded = sign({ ...attempt, secrets: [`whsec_${key.toString('base64')}`] });
    expect(decoded['webhook-signature']).toBe(`v1,${expected}`);
    expect(sign({ ...attempt, secrets: [key.toString('utf8')] })).toEqual(decoded);
  });

  it.each([
    'whsec_',
    'whsec_a',
    'whsec_ab=',
    'whsec_a-b_',
    'whsec_YWJj!',
    'whsec_=',
    'whsec_YWJj\n',
    'WHSEC_YWJj',
    'Ünïcode 🔑',
  ])('uses the UTF-8 bytes of a secret that is not whsec_ followed by base64: %j', (secret) => {
    const expected = createHmac('sha256', secret).update(`evt_01.1674087231.${attempt.body}`).digest('base64');
    expect(sign({ ...attempt, secrets: [secret] })['webhook-signature']).toBe(`v1,${expected}`);
  });

  it('verifies with the reference library for every base64 secret', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 64 }), fc.json(), (key, body) => {
        const secret = `whsec_${Buffer.from(key).toString('base64')}`;
        const headers = sign({ id: 'evt_01', timestampSeconds: now(), body, secrets: [secret] });
        new Webhook(secret).verify(body, headers);
      }),
    );
  });

  it('verifies with the reference library for every raw secret', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 256, unit: 'grapheme' }), fc.json(), (secret, body) => {
        const headers = sign({ id: 'evt_01', timestampSeconds: now(), body, secrets: [secret] });
        new Webhook(Buffer.from(secret), { format: 'raw' }).verify(body, headers);
      }),
    );
  });

  it('verifies with either of two secrets while a receiver rotates', () => {
    const secrets = ['whsec_bmV3IHNlY3JldA==', 'old secret'] as const;
    const headers = sign({ ...attempt, timestampSeconds: now(), secrets });
    expect(headers['webhook-signature']).toMatch(/^v1,[\w+/=]{44} v1,[\w+/=]{44}$/);
    new Webhook(secrets[0]).verify(attempt.body, headers);
    new Webhook(secrets[1], { format: 'raw' }).verify(attempt.body, headers);
    expect(() => new Webhook('another', { format: 'raw' }).verify(attempt.body, headers)).toThrow();
  });
});

describe('a secret', () => {
  const encoded = (bytes: number) => Buffer.alloc(bytes, 'key').toString('base64');

  it('is refused if it begins with whsec_ and the rest is not base64 of 24 to 64 bytes', () => {
    for (const bytes of [24, 25, 26, 32, 64]) expect(faultOfSecret(`whsec_${encoded(bytes)}`)).toBeUndefined();
    expect(faultOfSecret(`whsec_${encoded(23)}`)).toBe('its key has 23 bytes instead of 24 to 64');
    expect(faultOfSecret(`whsec_${encoded(65)}`)).toBe('its key has 65 bytes instead of 24 to 64');
    for (const wrong of ['', '=', encoded(25).replaceAll('=', ''), `${encoded(24)}\n`, `${encoded(24)}-_--`]) {
      expect(faultOfSecret(`whsec_${wrong}`)).toBeDefined();
    }
    for (const plain of ['secret', 'WHSEC_a', ' whsec_a', 'whsec']) expect(faultOfSecret(plain)).toBeUndefined();
  });

  it('that is accepted verifies with the reference library', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 24, maxLength: 64 }), (key) => {
        const secret = `whsec_${Buffer.from(key).toString('base64')}`;
        expect(faultOfSecret(secret)).toBeUndefined();
        const headers = sign({ ...attempt, timestampSeconds: now(), secrets: [secret] });
        expect(new Webhook(secret).verify(attempt.body, headers)).toBeDefined();
      }),
    );
  });
});
