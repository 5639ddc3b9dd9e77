import { createChallenge, solveChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { Config } from '../../config/config.js';
import { Challenges } from './challenges.js';
import { SpamTokens } from './spam-tokens.js';

const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const form = { tenantId: 'ten_acme', formId: '01900000-0000-7000-8000-000000000001' };
const challengesOf = (...encryptionKeys: Buffer[]) => new Challenges({ encryptionKeys } as unknown as Config);
const proofOf = (proof: object) => Buffer.from(JSON.stringify(proof)).toString('base64');
const secretsOf = (key: Buffer) => {
  const [secret = ''] = new SpamTokens([key]).secretsOf(form);
  return { hmacSignatureSecret: secret, hmacKeySignatureSecret: `${secret} key` };
};

/** A challenge that the library makes, with its solution. It costs no work. */
async function solved(key: Buffer, expiresAt = new Date(Date.now() + 60_000)) {
  const options = { algorithm: 'PBKDF2/SHA-256', cost: 1, counter: 3, deriveKey, expiresAt, ...secretsOf(key) };
  const challenge = await createChallenge(options);
  const solution = await solveChallenge({ challenge, deriveKey });
  if (!solution) throw new Error('The library finds no solution.');
  return { challenge, solution };
}

describe('a challenge', () => {
  it('is solved and verified by the library of ALTCHA, and here', async () => {
    const challenges = challengesOf(first);
    const challenge = await challenges.create(form);
    const solution = await solveChallenge({ challenge, deriveKey });
    if (!solution) throw new Error('The library finds no solution.');
    expect(solution.counter).toBeGreaterThanOrEqual(200);
    expect(solution.counter).toBeLessThanOrEqual(600);
    expect(await verifySolution({ challenge, solution, deriveKey, ...secretsOf(first) })).toMatchObject({
      verified: true,
    });
    const proof = challenges.verify(form, proofOf({ challenge, solution }));
    expect(proof?.expiresAt).toBe(new Date((challenge.parameters.expiresAt ?? 0) * 1000).toISOString());
  }, 30_000);

  it('of the library is verified, with its properties in any order, and known again', async () => {
    const { challenge, solution } = await solved(first);
    const parameters = Object.fromEntries(Object.entries(challenge.parameters).reverse());
    const challenges = challengesOf(first);
    const proof = challenges.verify(form, proofOf({ challenge, solution }));
    expect(proof).toBeDefined();
    expect(challenges.verify(form, proofOf({ challenge: { ...challenge, parameters }, solution }))).toEqual(proof);
  });

  it('is valid while its key is configured, for its form, until it expires', async () => {
    const proof = proofOf(await solved(first));
    expect(challengesOf(second, first).verify(form, proof)).toBeDefined();
    expect(challengesOf(second).verify(form, proof)).toBeUndefined();
    expect(challengesOf(first).verify({ ...form, tenantId: 'ten_other' }, proof)).toBeUndefined();
    const expired = proofOf(await solved(first, new Date(Date.now() - 1_000)));
    expect(challengesOf(first).verify(form, expired)).toBeUndefined();
  });

  it('with any part changed or missing is refused', async () => {
    const { challenge, solution } = await solved(first);
    const changed = (value: unknown) => (typeof value === 'number' ? value + 1 : `0${String(value).slice(1)}f`);
    const proofs = [
      ...Object.entries(challenge.parameters).map(([name, value]) => ({
        challenge: { ...challenge, parameters: { ...challenge.parameters, [name]: changed(value) } },
        solution,
      })),
      ...Object.keys(challenge.parameters).map((name) => ({
        challenge: { ...challenge, parameters: { ...challenge.parameters, [name]: undefined } },
        solution,
      })),
      { challenge: { ...challenge, signature: challenge.signature?.toUpperCase() }, solution },
      { challenge, solution: { ...solution, derivedKey: changed(solution.derivedKey) } },
      { challenge, solution: { ...solution, derivedKey: solution.derivedKey.toUpperCase() } },
      { challenge, solution: {} },
      { solution },
    ];
    const challenges = challengesOf(first);
    for (const proof of proofs) expect(challenges.verify(form, proofOf(proof))).toBeUndefined();
    expect(challenges.verify(form, proofOf({ challenge, solution }))).toBeDefined();
  });
});
