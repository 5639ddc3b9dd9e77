import { tooManyRequests } from '../../access/rate-limits.js';

/** Uploads of an address in progress. They take a place of the tenant for as long as the client is slow. */
const MAX_OF_ADDRESS = 5;
const MAX_WAITING = 50;

interface Address {
  inProgress: number;
  /** Calls them in their order. */
  waiting: (() => void)[];
}

/** Limits the uploads in progress from one address. Further ones wait, and their bodies are not read while they wait. */
export class AddressUploads {
  private readonly addresses = new Map<string, Address>();

  /** Resolves when the upload may begin, with a function that must be called once at its end. Throws a 429 if too many wait, or the wait is too long. */
  async enter(address: string, waitMs: number): Promise<() => void> {
    const own = this.addresses.get(address) ?? { inProgress: 0, waiting: [] };
    this.addresses.set(address, own);
    if (own.inProgress < MAX_OF_ADDRESS) own.inProgress++;
    else await queueKey(own, waitMs);
    return () => this.leave(address, own);
  }

  /** Passes the place on. */
  private leave(address: string, own: Address): void {
    const next = own.waiting.shift();
    if (next) next();
    else if (--own.inProgress === 0) this.addresses.delete(address);
  }
}

function queueKey({ waiting }: Address, waitMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    if (waiting.length >= MAX_WAITING) return reject(tooMany());
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(start), 1);
      reject(tooMany());
    }, waitMs);
    const start = () => {
      clearTimeout(timer);
      resolve();
    };
    waiting.push(start);
  });
}

function tooMany() {
  return tooManyRequests(5, 'Too many uploads from your network are in progress.');
}
