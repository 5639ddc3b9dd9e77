/** Submissions to a form with every check, each with a proof of work of its own that costs nothing to solve. */
import { createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { submissionOf } from './data.mjs';
import { TENANT } from './service.mjs';

/** The settings of the form. No submission of the benchmark is spam. */
export const SPAM = {
  honeypot: 'website',
  min_seconds: 1,
  max_links: 5,
  blocked_words: Array.from({ length: 100 }, (_, index) => `blocked${index}`),
  duplicates_within: 86_400,
  challenge: true,
};

const ITERATIONS = 1;
const DAY_MS = 86_400_000;

/** Returns a function that returns the fields of a submission by its number. */
export async function checkedSubmissions(dist, { env }, formId) {
  const load = (path) => import(pathToFileURL(join(dist, path)).href);
  const { SpamTokens } = await load('forms/spam/spam-tokens.js');
  const { parseId } = await load('ids/type-id.js');
  const form = { tenantId: TENANT, formId: parseId('frm', formId) };
  const tokens = new SpamTokens([Buffer.from(env.ENCRYPTION_KEY, 'base64')]);
  const [secret] = tokens.secretsOf(form);
  const token = tokens.sign(form, Date.now() - 60_000);
  return (number) => ({
    ...submissionOf(number % 2_000),
    name: `Somebody ${number}`,
    website: '',
    _t: token,
    _altcha: proof(secret),
  });
}

/** A challenge as the service signs it, with its solution. */
function proof(secret) {
  const [nonce, salt] = [randomBytes(16), randomBytes(16)];
  const derived = pbkdf2Sync(Buffer.concat([nonce, Buffer.alloc(4)]), salt, ITERATIONS, 32, 'sha256');
  // The signature is that of the properties in the order of their names.
  const parameters = {
    algorithm: 'PBKDF2/SHA-256',
    cost: ITERATIONS,
    expiresAt: Math.floor((Date.now() + DAY_MS) / 1000),
    keyLength: 32,
    keyPrefix: derived.toString('hex', 0, 16),
    keySignature: createHmac('sha256', `${secret} key`).update(derived).digest('hex'),
    nonce: nonce.toString('hex'),
    salt: salt.toString('hex'),
  };
  const signature = createHmac('sha256', secret).update(JSON.stringify(parameters)).digest('hex');
  const solution = { counter: 0, derivedKey: derived.toString('hex'), time: 1 };
  return Buffer.from(JSON.stringify({ challenge: { parameters, signature }, solution })).toString('base64');
}
