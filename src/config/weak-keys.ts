import { createHash } from 'node:crypto';

/** Even if each character were one of sixteen, so many cannot be guessed. */
const MIN_LENGTH = 24;
/** A random key of `MIN_LENGTH` hexadecimal digits has fewer than this with a probability of one in a million. */
const MIN_DISTINCT = 7;
const MAX_REPEATED = 64;

/** What people write where a key is expected. */
const WORDS = (
  'admin api api-key apikey changeme change-me default demo dev development example key letmein master my-key mykey none null pass ' +
  'passw0rd password password1 production qwerty root secret secret-key test test-key testkey token trivet undefined user your-api-key ' +
  'your-key 123 1234 12345 123456 1234567 12345678 123456789 1234567890 0123456789 abc abc123 abcdef'
).split(' ');

/**
 * Returns why a key of the configuration is weak, as the end of a sentence; undefined if it is not. A hash does not tell its key, so only the hashes
 * of what is tried first are recognized. `names`: what else is tried first, such as the name of the tenant.
 */
export function weaknessOf(key: string, names: readonly string[]): string | undefined {
  const hash = /^sha256:([0-9a-f]{64})$/i.exec(key)?.[1];
  if (hash !== undefined)
    return isTrivialHash(hash.toLowerCase(), names) ? 'is the hash of a key that is guessed at once' : undefined;
  if (key.length < MIN_LENGTH) return `has fewer than ${MIN_LENGTH} characters`;
  if (new Set(key).size < MIN_DISTINCT || isRepeated(key)) return 'repeats a few characters';
  return isSequence(key) ? 'is a sequence of characters' : undefined;
}

/** Whether the key consists of a shorter text that is repeated, the last time perhaps in part. */
function isRepeated(key: string): boolean {
  for (let period = 1; period <= key.length / 2; period++) if (key.startsWith(key.slice(period))) return true;
  return false;
}

/** Whether most characters follow from the one before: `abcdef…`, `98765…`. */
function isSequence(key: string): boolean {
  const steps = [...key]
    .slice(1)
    .filter((character, index) => Math.abs(character.charCodeAt(0) - key.charCodeAt(index)) <= 1);
  return steps.length > key.length / 2;
}

function isTrivialHash(hash: string, names: readonly string[]): boolean {
  trivialHashes ??= new Set(trivialKeys().flatMap(hashesOf));
  return trivialHashes.has(hash) || names.flatMap(hashesOf).includes(hash);
}

let trivialHashes: ReadonlySet<string> | undefined;

function trivialKeys(): string[] {
  const characters = Array.from({ length: 0x7f - 0x21 }, (_, index) => String.fromCharCode(0x21 + index));
  const repeated = characters.flatMap((one) =>
    Array.from({ length: MAX_REPEATED }, (_, index) => one.repeat(index + 1)),
  );
  return ['', ...WORDS, ...repeated];
}

/** Commands such as `echo key | sha256sum` also hash the end of the line. */
function hashesOf(key: string): string[] {
  return [key, `${key}\n`].map((text) => createHash('sha256').update(text).digest('hex'));
}
