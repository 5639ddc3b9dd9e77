import { hash, verify } from '@node-rs/argon2';
import { Injectable } from '@nestjs/common';
import { addressGroup } from '../../admission/address-group.js';
import { FairQueue } from '../../admission/fair-queue.js';
import { Problem } from '../../errors/problem.js';
import { isCommonPassword } from './common-passwords.js';
import { heldIdentity, type KnownIdentity } from './held-identity.js';

const MIN_LENGTH = 8;
const MAX_LENGTH = 256;

/** Argon2id as OWASP's Password Storage Cheat Sheet recommends it: 19 MiB, two passes, one thread. It takes tens of milliseconds. */
const PARAMETERS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** A hash with these parameters whose bytes were drawn at random, so that nobody knows a password for it. */
const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$myMd+u6XSipo5WyXPQmn0A$MRLyPKltGHvBS0P2ILhRpnpR+zBWD0O9ZyFCN7RbYXc';

/** Each runs on a thread of libuv, which has four for files, names and this. */
const CONCURRENCY = 2;
const MAX_WAITING_OF_ADDRESS = 20;
const MAX_WAITING = 150;
const WAIT_MS = 10_000;

/** Hashes and checks passwords, a few at once. `address` is that of the client: addresses take turns. */
@Injectable()
export class Passwords {
  private readonly queue = new FairQueue({
    concurrency: CONCURRENCY,
    maxWaiting: MAX_WAITING_OF_ADDRESS,
    waitMs: WAIT_MS,
    refusal: overloaded,
  });

  /** Returns the hash in PHC format, with its parameters. Throws a 503 if too many wait. */
  async hash(password: string, address: string): Promise<string> {
    const bytes = bytesOf(password);
    return this.inTurn(address, () => hash(bytes, PARAMETERS));
  }

  /** Whether `stored` is the hash of the password. Without one, it takes the same time. Throws a 503 if too many wait. */
  async verify(stored: string | undefined, password: string, address: string): Promise<boolean> {
    const isPossible = stored !== undefined && hasLength(password);
    const bytes = bytesOf(isPossible ? password : '');
    const isRight = await this.inTurn(address, () => verify(isPossible ? stored : NOBODYS_HASH, bytes));
    return isRight && isPossible;
  }

  /** Returns why a person may not have the password, as a sentence; undefined if they may. */
  async refusalOf(password: string, identity: KnownIdentity): Promise<string | undefined> {
    if (!hasLength(password)) return `The password must have ${MIN_LENGTH} to ${MAX_LENGTH} characters.`;
    const form = normalized(password);
    const held = heldIdentity(form, identity);
    if (held !== undefined) return `The password must not contain the ${held}.`;
    if (await isCommonPassword(form))
      return 'The password is one of those that are tried first. Choose a less common one.';
    return undefined;
  }

  private async inTurn<Result>(address: string, task: () => Promise<Result>): Promise<Result> {
    if (this.queue.waiting >= MAX_WAITING) throw overloaded();
    return this.queue.run(addressGroup(address), task);
  }
}

/** Keyboards write the same character in several ways. */
function normalized(password: string): string {
  return password.normalize('NFKC');
}

function hasLength(password: string): boolean {
  // Normalization of more than anybody types is work for nothing.
  if (password.length > 4 * MAX_LENGTH) return false;
  const { length } = [...normalized(password)];
  return length >= MIN_LENGTH && length <= MAX_LENGTH;
}

function bytesOf(password: string): Buffer {
  return Buffer.from(normalized(password), 'utf8');
}

function overloaded(): Problem {
  return Problem.unavailable('Too many passwords are being checked. Try again soon.', 2);
}
