import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Config } from '../config/config.js';
import { DatabaseWatches } from '../database/connections/database-watches.js';
import type { DatabaseWatch, WatchReader } from '../database/connections/database-watch.js';
import { Problem } from '../errors/problem.js';
import { ACCESS_STATE, ACCESS_VERSIONS, ACCESS_VERSIONS_OF, CHANNEL } from './access-changes.sql.js';

/** Without notifications, a revoked key or an ended session works for this long, and the time that a look takes. */
const EVERY_MS = 500;
/** For this long a key or a session is believed to be valid although the database cannot be asked. */
const TRUST_MS = 10_000;
/** A request with a key or session that is not known yet waits this long for the database. */
const WAIT_MS = 3_000;

type Versions = (typeof ACCESS_VERSIONS)['row'] & object;

/** A tenant of which something has changed since the last look. */
export interface AccessChange {
  tenantId: string;
  /** Whether keys, roles or members have changed. Otherwise only sessions have ended. */
  concernsKeys: boolean;
}

/** Brings what the process knows about keys or sessions up to date. If it throws, the changes are told again. */
type Follower = (changes: readonly AccessChange[], reader: WatchReader) => void | Promise<void>;

/**
 * Watches who may use the service: keys, roles, members and sessions. It looks at once after each change, wherever it was made, and twice a
 * second in any case. `KeyCache` and the cache of sessions follow it, so that whatever was revoked or ended is refused within a second.
 */
@Injectable()
export class AccessWatch implements OnModuleInit, OnApplicationShutdown {
  private readonly watch: DatabaseWatch;
  private readonly followers: Follower[] = [];
  private readonly versions = new Map<string, Versions>();
  /** When each tenant was known to be current while another server was away, of `performance.now()`. */
  private readonly confirmed = new Map<string, number>();
  private readonly tenantIds: ReadonlySet<string>;
  private state = '';
  /** When all tenants were known to be current, of `performance.now()`. */
  private confirmedAt = -Infinity;
  /** Whether the last look could not ask the servers of some tenants. */
  isPartAway = false;

  constructor(
    private readonly config: Config,
    watches: DatabaseWatches,
  ) {
    this.tenantIds = new Set(config.tenants.map(({ id }) => id));
    this.watch = watches.create({
      channel: CHANNEL,
      everyMs: EVERY_MS,
      look: (reader, startedAt) => this.look(reader, startedAt),
    });
  }

  async onModuleInit(): Promise<void> {
    if (this.config.role !== 'worker') await this.watch.start().catch(() => undefined);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.watch.stop();
  }

  /** Followers must be added before the application starts. */
  follow(follower: Follower): void {
    this.followers.push(follower);
  }

  /** Throws a 503 if it has not been known for ten seconds whether keys and sessions of the tenant are still valid. */
  assertCurrent(tenantId: string): void {
    const confirmedAt = Math.max(this.confirmedAt, this.confirmed.get(tenantId) ?? -Infinity);
    if (performance.now() - confirmedAt > TRUST_MS) throw cannotCheck();
  }

  /** Resolves after a look that begins from now on. Rejects with a 503 if the database cannot be asked in time. */
  async refresh(): Promise<void> {
    await inTime(this.watch.refresh());
  }

  /** Brings this process up to date before the response to a change is sent. The other processes follow by themselves. */
  async changed(): Promise<void> {
    await this.refresh().catch(() => undefined);
  }

  private async look(reader: WatchReader, startedAt: number): Promise<void> {
    const present = reader.present();
    this.isPartAway = present !== undefined;
    if (present) {
      this.state = '';
      await this.lookByServer(reader, present, startedAt);
      return;
    }
    const [row] = await reader.read(ACCESS_STATE, {});
    const state = row?.state ?? '';
    await this.tell(reader, state === this.state ? [] : await reader.read(ACCESS_VERSIONS, {}));
    this.state = state;
    this.confirmedAt = startedAt;
  }

  /** Looks at the tenants whose server answers. */
  private async lookByServer(
    reader: WatchReader,
    present: readonly (readonly string[])[],
    startedAt: number,
  ): Promise<void> {
    for (const tenantIds of present) {
      await this.tell(reader, await reader.read(ACCESS_VERSIONS_OF, { tenantIds }));
      for (const id of tenantIds) this.confirmed.set(id, startedAt);
    }
  }

  private async tell(reader: WatchReader, found: readonly Versions[]): Promise<void> {
    const changed = found.filter(({ tenantId, version, ended }) => {
      const known = this.versions.get(tenantId);
      return this.tenantIds.has(tenantId) && (known?.version !== version || known.ended !== ended);
    });
    const changes = changed.map(({ tenantId, version }) => ({
      tenantId,
      concernsKeys: this.versions.get(tenantId)?.version !== version,
    }));
    for (const follow of this.followers) await follow(changes, reader);
    for (const versions of changed) this.versions.set(versions.tenantId, versions);
  }
}

/** Rejects with a 503 if the look fails or takes too long. */
async function inTime(look: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(cannotCheck()), WAIT_MS);
  });
  try {
    await Promise.race([look.catch(() => Promise.reject(cannotCheck())), limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** It cannot be known whether a key or a session is valid. */
export function cannotCheck(): Problem {
  return Problem.unavailable('It cannot be checked at the moment whether this API key or session is valid.');
}
