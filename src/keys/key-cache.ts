import { Injectable } from '@nestjs/common';
import { configuredKeys } from '../access/configured-keys.js';
import { type EndListener, IssuedKeys } from '../access/issued-keys.js';
import { type Rights, type UsableKey, usableKey } from '../access/usable-key.js';
import { Config } from '../config/config.js';
import type { TenantConfig } from '../config/tenants-config.js';
import type { WatchReader } from '../database/connections/database-watch.js';
import { type AccessChange, AccessWatch, cannotCheck } from './access-watch.js';
import { rightsNow } from './key-rights.js';
import { KeyUses } from './key-uses.js';
import { KEYS_OF_TENANTS } from './keys.sql.js';

/** Tenants whose keys are read at once: at most 20,000 keys. */
const BATCH = 20;

type Row = (typeof KEYS_OF_TENANTS)['row'] & object;

/** A key in memory. `known` is made when it is first used, because most of many keys are rarely used. */
interface HeldKey extends Rights {
  readonly tenant: TenantOfKeys;
  readonly id: string;
  readonly name: string;
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
}

/** The keys that were made over the API, in the memory of this process. `AccessWatch` keeps them up to date. */
@Injectable()
export class KeyCache extends IssuedKeys {
  private readonly tenants: ReadonlyMap<string, TenantOfKeys>;
  private readonly byHash = new Map<string, HeldKey>();
  /** The hashes of a tenant's keys, by the UUIDs of the keys. */
  private readonly byTenant = new Map<string, ReadonlyMap<string, string>>();
  private readonly listeners: EndListener[] = [];
  /** Keys that were used and will expire, by their hashes. */
  private readonly expiring = new Map<string, HeldKey>();

  constructor(
    config: Config,
    private readonly watch: AccessWatch,
    private readonly uses: KeyUses,
  ) {
    super();
    this.tenants = new Map(config.tenants.map((tenant) => [tenant.id, tenantOfKeys(tenant)]));
    watch.follow((changes, reader) => this.follow(changes, reader));
  }

  /** The number of keys in memory. */
  get size(): number {
    return this.byHash.size;
  }

  find(hash: string): UsableKey | undefined {
    const key = this.byHash.get(hash);
    if (!key || (key.expiresAt !== undefined && key.expiresAt <= Date.now())) return undefined;
    this.watch.assertCurrent(key.tenant.config.id);
    return key.known ?? this.makeKnown(hash, key);
  }

  private makeKnown(hash: string, key: HeldKey): UsableKey {
    if (key.expiresAt !== undefined) this.expiring.set(hash, key);
    return (key.known = knownOf(key));
  }

  async findNew(hash: string): Promise<UsableKey | undefined> {
    await this.watch.refresh();
    const found = this.find(hash);
    if (!found && this.watch.isPartAway) throw cannotCheck();
    return found;
  }

  async findById(tenantId: string, id: string): Promise<UsableKey | undefined> {
    const hash = this.byTenant.get(tenantId)?.get(id);
    if (hash !== undefined) return this.find(hash);
    await this.watch.refresh();
    return this.find(this.byTenant.get(tenantId)?.get(id) ?? '');
  }

  noteUse(key: UsableKey): void {
    this.uses.note(key);
  }

  onEnded(listener: EndListener): void {
    this.listeners.push(listener);
  }

  /** Forgets revoked keys, even while the watch has no connection. */
  forget(tenantId: string, ids: readonly string[]): void {
    const held = this.byTenant.get(tenantId);
    if (!held) return;
    for (const id of ids) this.remove(held.get(id) ?? '');
    const revoked = new Set(ids);
    this.byTenant.set(tenantId, new Map([...held].filter(([id]) => !revoked.has(id))));
  }

  private async follow(changes: readonly AccessChange[], reader: WatchReader): Promise<void> {
    this.endExpired();
    const tenantIds = changes.filter(({ concernsKeys }) => concernsKeys).map(({ tenantId }) => tenantId);
    for (let at = 0; at < tenantIds.length; at += BATCH) {
      const batch = tenantIds.slice(at, at + BATCH);
      const rows = await reader.read(KEYS_OF_TENANTS, { tenantIds: batch });
      const byTenant = new Map(batch.map((tenantId) => [tenantId, [] as Row[]]));
      for (const row of rows) byTenant.get(row.tenantId)?.push(row);
      for (const [tenantId, own] of byTenant) this.hold(tenantId, own);
    }
  }

  /** Replaces the keys of the tenant. A key that may do the same as before keeps what was made of it. */
  private hold(tenantId: string, rows: readonly Row[]): void {
    const tenant = this.tenants.get(tenantId);
    if (!tenant) return;
    const shared = new Map<string, readonly string[]>();
    const ids = new Map<string, string>();
    for (const row of rows) {
      const { hash, id, name, root, expiresAt } = row;
      if (root !== null && !tenant.roots.has(root)) continue;
      const { scopes, locales } = rightsNow(row);
      if (scopes.length === 0) continue;
      ids.set(id, hash);
      const names = scopes.join(' ');
      const own = shared.get(names) ?? scopes;
      shared.set(names, own);
      const key = { tenant, id, name, scopes: own, locales, root: root ?? '', expiresAt: timeOf(expiresAt) };
      const held = this.byHash.get(hash);
      if (held && isSame(held, key)) continue;
      if (held) this.remove(hash);
      this.byHash.set(hash, key);
    }
    for (const [id, hash] of this.byTenant.get(tenantId) ?? []) if (!ids.has(id)) this.remove(hash);
    this.byTenant.set(tenantId, ids);
  }

  private endExpired(): void {
    const now = Date.now();
    for (const [hash, { expiresAt = Infinity }] of this.expiring) if (expiresAt <= now) this.remove(hash);
  }

  private remove(hash: string): void {
    const known = this.byHash.get(hash)?.known;
    this.byHash.delete(hash);
    this.expiring.delete(hash);
    if (known) for (const listener of this.listeners) listener(known.caller.credentialId);
  }
}

function tenantOfKeys(config: TenantConfig): TenantOfKeys {
  const roots = configuredKeys(config).map(
    ({ fingerprint, allowedOrigins }) => [fingerprint, allowedOrigins && new Set(allowedOrigins)] as const,
  );
  return { config, roots: new Map(roots) };
}

/** A key may be used from the origins of the configured key that made it. */
function knownOf({ tenant, ...key }: HeldKey): UsableKey {
  return usableKey(tenant.config, { ...key, allowedOrigins: tenant.roots.get(key.root) });
}

function timeOf(iso: string | null): number | undefined {
  return iso === null ? undefined : Date.parse(iso);
}

/** Whether the key may do the same for the same time: a key that was adopted may expire earlier. */
function isSame(some: HeldKey, other: HeldKey): boolean {
  return textOf(some) === textOf(other);
}

function textOf({ root, scopes, locales, expiresAt }: HeldKey): string {
  return JSON.stringify([root, scopes, locales, expiresAt]);
}
