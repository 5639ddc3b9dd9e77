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

/**
 * Whom a password is hashed or checked for. An account that has shown something (a session, the token of a link, a network from which it has signed in)
 * has a queue that strangers, of whom only the address of the client is known, cannot fill.
 */
type PasswordClient = { readonly account: string } | { readonly stranger: string };

/** What runs around a check, in its turn: others may have failed while it waited. */
interface Guess {
  /** Throws if there were too many failures. */
  readonly begin: () => Promise<void>;
  readonly fail: () => Promise<void>;
}

/** Of each queue. A hash runs on a thread of libuv, which has four for files, names and this. */
const CONCURRENCY = 1;
const MAX_WAITING_OF_KEY = 20;
const MAX_WAITING = 150;
const WAIT_MS = 10_000;

const QUEUE = {
  concurrency: CONCURRENCY,
  maxWaiting: MAX_WAITING_OF_KEY,
  waitMs: WAIT_MS,
  refusal: overloaded,
};

/** Hashes and checks passwords, a few at once. Accounts, and the addresses of strangers, take turns. */
@Injectable()
export class Passwords {
  private readonly accounts = new FairQueue(QUEUE);
  private readonly strangers = new FairQueue(QUEUE);

  /** How many checks for strangers wait. */
  get waitingStrangers(): number {
    return this.strangers.waiting;
  }

  /** Returns the hash in PHC format, with its parameters. Throws a 503 if too many wait. */
  async hash(password: string, client: PasswordClient): Promise<string> {
    const bytes = bytesOf(password);
    return this.inTurn(client, () => hash(bytes, PARAMETERS));
  }

  /** Whether `stored` is the hash of the password. Without one, it takes the same time. Throws what `guess` throws, and a 503 if too many wait. */
  async verify(stored: string | undefined, password: string, client: PasswordClient, guess?: Guess): Promise<boolean> {
    const isPossible = stored !== undefined && hasLength(password);
    const bytes = bytesOf(isPossible ? password : '');
    return this.inTurn(client, async () => {
      await guess?.begin();
      const isRight = (await verify(isPossible ? stored : NOBODYS_HASH, bytes)) && isPossible;
      if (!isRight) await guess?.fail();
      return isRight;
    });
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

  private async inTurn<Result>(client: PasswordClient, task: () => Promise<Result>): Promise<Result> {
    const isKnown = 'account' in client;
    const queue = isKnown ? this.accounts : this.strangers;
    if (queue.waiting >= MAX_WAITING) throw overloaded();
    return queue.run(isKnown ? client.account : addressGroup(client.stranger), task);
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
