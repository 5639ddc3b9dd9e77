import type { OpenSession } from '../http/open-session.js';
import type { Credential, UsableKey } from './usable-key.js';

/** What a session may do in a tenant. `unknown`: there is no such session, or it has ended. `elsewhere`: it may not enter this tenant. */
export type Entrance = Credential | 'unknown' | 'elsewhere';

/** The sessions of people and keys, which signed in and have a cookie in the place of an API key. The module `people` provides it. */
export abstract class Sessions {
  /**
   * Returns what the session may do in the tenant; a promise if this process has not heard of it. Throws a 503 as `ApiKeys.find` does. `address`
   * returns that of the client: addresses take turns where the database is asked, so that invented tokens delay no others.
   */
  abstract enter(token: string, tenantId: unknown, address: () => string): Entrance | Promise<Entrance>;

  /** Returns the session if it is valid. Takes queries. `address` is that of the client. */
  abstract find(token: string, address: string): Promise<OpenSession | undefined>;

  /** Whether the session with this UUID has not ended. */
  abstract isOpen(id: string): Promise<boolean>;

  /** Returns what the member with this UUID may do now; undefined if there is none. */
  abstract findMember(tenantId: string, id: string): Promise<UsableKey | undefined>;
}
