import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { configuredKeys } from '../access/configured-keys.js';
import { type EndListener, IssuedKeys } from '../access/issued-keys.js';
import { type UsableKey, usableKey } from '../access/usable-key.js';
import { Config } from '../config/config.js';
import type { TenantConfig } from '../config/tenants-config.js';
import { DatabaseWatches } from '../database/connections/database-watches.js';
import type { DatabaseWatch, WatchReader } from '../database/connections/database-watch.js';
import { Problem } from '../errors/problem.js';
import { KeyUses } from './key-uses.js';
import { CHANNEL, KEY_STATE, KEY_VERSIONS, KEY_VERSIONS_OF, KEYS_OF_TENANTS } from './keys.sql.js';

/** Without notifications, a revoked key works for this long, and the time that a look takes. */
const EVERY_MS = 500;
/** For this long a key is believed to be valid although the database cannot be asked. */
const TRUST_MS = 10_000;
/** A request with a key that is not known yet waits this long for the database. */
const WAIT_MS = 3_000;
/** Tenants whose keys are read at once: at most 20,000 keys. */
const BATCH = 20;

type Row = (typeof KEYS_OF_TENANTS)['row'] & object;
type Version = (typeof KEY_VERSIONS)['row'] & object;

/** A key in memory. `known` is made when it is first used, because most of many keys are rarely used. */
interface HeldKey {
  readonly tenant: TenantOfKeys;
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly root: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number | undefined;
  known?: UsableKey;
}

/** What the configuration says about a tenant. */
interface TenantOfKeys {
  readonly config: TenantConfig;
  /** The browser origins of each configured key, by its fingerprint. */
  readonly roots: ReadonlyMap<string, ReadonlySet<string> | undefined>;
  /** When the keys in memory were known to be current, of `performance.now()`. */
  confirmedAt: number;
}

/** The keys of a tenant in memory, by their hashes, and the number of the change after which they were read. */
interface HeldKeys {
  version: string;
  hashes: readonly string[];
}

/**
 * The keys that were made over the API, in the memory of this process. A watch of the database brings them up to date at once after each
 * change, wherever it was made, and twice a second in any case.
 */
@Injectable()
export class KeyCache extends IssuedKeys implements OnModuleInit, OnApplicationShutdown {
  private readonly tenants: ReadonlyMap<string, TenantOfKeys>;
  private readonly byHash = new Map<string, HeldKey>();
  private readonly byTenant = new Map<string, HeldKeys>();
  private readonly watch: DatabaseWatch;
  private readonly listeners: EndListener[] = [];
  /** Keys that were used and will expire, by their hashes. */
  private readonly expiring = new Map<string, HeldKey>();
  private state = '';
  /** When the keys of all tenants in memory were known to be current, of `performance.now()`. */
  private confirmedAt = -Infinity;
  /** Whether the last look could not read the keys of some tenants. */
  private isPartAway = false;

  constructor(
    private readonly config: Config,
    watches: DatabaseWatches,
    private readonly uses: KeyUses,
  ) {
    super();
    this.tenants = new Map(config.tenants.map((tenant) => [tenant.id, tenantOfKeys(tenant)]));
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

  /** The number of keys in memory. */
  get size(): number {
    return this.byHash.size;
  }

  find(hash: string): UsableKey | undefined {
    const key = this.byHash.get(hash);
    if (!key || (key.expiresAt !== undefined && key.expiresAt <= Date.now())) return undefined;
    const confirmedAt = Math.max(this.confirmedAt, key.tenant.confirmedAt);
    if (performance.now() - confirmedAt > TRUST_MS) throw cannotCheck();
    return key.known ?? this.makeKnown(hash, key);
  }

  private makeKnown(hash: string, key: HeldKey): UsableKey {
    if (key.expiresAt !== undefined) this.expiring.set(hash, key);
    return (key.known = knownOf(key));
  }

  async findNew(hash: string): Promise<UsableKey | undefined> {
    await inTime(this.watch.refresh());
    const found = this.find(hash);
    if (!found && this.isPartAway) throw cannotCheck();
    return found;
  }

  async findById(tenantId: string, id: string): Promise<UsableKey | undefined> {
    const hash = this.hashOf(tenantId, id);
    if (hash !== undefined) return this.find(hash);
    await inTime(this.watch.refresh());
    return this.find(this.hashOf(tenantId, id) ?? '');
  }

  private hashOf(tenantId: string, id: string): string | undefined {
    return this.byTenant.get(tenantId)?.hashes.find((hash) => this.byHash.get(hash)?.id === id);
  }

  noteUse(key: UsableKey): void {
    this.uses.note(key);
  }

  onEnded(listener: EndListener): void {
    this.listeners.push(listener);
  }

  /** Brings this process up to date before the response to the change is sent. The other processes follow by themselves. */
  async changed(): Promise<void> {
    await inTime(this.watch.refresh()).catch(() => undefined);
  }

  /** Forgets revoked keys, even while the watch has no connection. */
  forget(tenantId: string, ids: readonly string[]): void {
    const held = this.byTenant.get(tenantId);
    if (!held) return;
    const revoked = new Set(ids);
    held.hashes = held.hashes.filter((hash) => {
      if (!revoked.has(this.byHash.get(hash)?.id ?? '')) return true;
      this.remove(hash);
      return false;
    });
  }

  private async look(reader: WatchReader, startedAt: number): Promise<void> {
    this.endExpired();
    const present = reader.present();
    this.isPartAway = present !== undefined;
    if (present) {
      this.state = '';
      await this.lookByServer(reader, present, startedAt);
      return;
    }
    const [row] = await reader.read(KEY_STATE, {});
    const state = row?.state ?? '';
    if (state !== this.state) await this.readChanged(reader, await reader.read(KEY_VERSIONS, {}));
    this.state = state;
    this.confirmedAt = startedAt;
  }

  /** Reads the keys of the tenants whose server answers. */
  private async lookByServer(
    reader: WatchReader,
    present: readonly (readonly string[])[],
    startedAt: number,
  ): Promise<void> {
    for (const tenantIds of present) {
      await this.readChanged(reader, await reader.read(KEY_VERSIONS_OF, { tenantIds }));
      for (const id of tenantIds) this.tenants.get(id)!.confirmedAt = startedAt;
    }
  }

  private async readChanged(reader: WatchReader, versions: readonly Version[]): Promise<void> {
    const changed = versions.filter(
      ({ tenantId, version }) => this.tenants.has(tenantId) && this.byTenant.get(tenantId)?.version !== version,
    );
    for (let at = 0; at < changed.length; at += BATCH) {
      const batch = changed.slice(at, at + BATCH);
      const rows = await reader.read(KEYS_OF_TENANTS, { tenantIds: batch.map(({ tenantId }) => tenantId) });
      const byTenant = new Map(batch.map(({ tenantId }) => [tenantId, [] as Row[]]));
      for (const row of rows) byTenant.get(row.tenantId)?.push(row);
      for (const { tenantId, version } of batch) this.hold(tenantId, version, byTenant.get(tenantId) ?? []);
    }
  }

  /** Replaces the keys of the tenant. A key that stays keeps what was made of it. */
  private hold(tenantId: string, version: string, rows: readonly Row[]): void {
    const tenant = this.tenants.get(tenantId);
    if (!tenant) return;
    const shared = new Map<string, readonly string[]>();
    const hashes = new Set<string>();
    for (const { hash, id, name, scopes, root, expiresAt } of rows) {
      if (!tenant.roots.has(root)) continue;
      hashes.add(hash);
      if (this.byHash.has(hash)) continue;
      const names = scopes.join(' ');
      const own = shared.get(names) ?? scopes;
      shared.set(names, own);
      const key = { tenant, id, name, scopes: own, root, expiresAt: timeOf(expiresAt) };
      this.byHash.set(hash, key);
    }
    for (const hash of this.byTenant.get(tenantId)?.hashes ?? []) if (!hashes.has(hash)) this.remove(hash);
    this.byTenant.set(tenantId, { version, hashes: [...hashes] });
  }

  private endExpired(): void {
    const now = Date.now();
    for (const [hash, { expiresAt = Infinity }] of this.expiring) if (expiresAt <= now) this.remove(hash);
  }

  private remove(hash: string): void {
    const known = this.byHash.get(hash)?.known;
    this.byHash.delete(hash);
    this.expiring.delete(hash);
    if (known) for (const listener of this.listeners) listener(known.caller.keyId);
  }
}

function tenantOfKeys(config: TenantConfig): TenantOfKeys {
  const roots = configuredKeys(config).map(
    ({ fingerprint, allowedOrigins }) => [fingerprint, allowedOrigins && new Set(allowedOrigins)] as const,
  );
  return { config, roots: new Map(roots), confirmedAt: -Infinity };
}

/** A key may be used from the origins of the configured key that made it. */
function knownOf({ tenant, id, name, scopes, root, expiresAt }: HeldKey): UsableKey {
  return usableKey(tenant.config, { id, name, scopes, root, expiresAt, allowedOrigins: tenant.roots.get(root) });
}

function timeOf(iso: string | null): number | undefined {
  return iso === null ? undefined : Date.parse(iso);
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

function cannotCheck(): Problem {
  return Problem.unavailable('It cannot be checked at the moment whether this API key is valid.');
}
