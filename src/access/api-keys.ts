import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { configuredKeys } from './configured-keys.js';
import { IssuedKeys } from './issued-keys.js';
import { hashOfSecret, isSecret } from './secrets/secret-text.js';
import { type UsableKey, usableKey } from './usable-key.js';

/**
 * All API keys, indexed by their hash: those of the configuration, and those that were made over the API. A lookup needs no query, and its
 * timing reveals nothing about a key.
 */
@Injectable()
export class ApiKeys {
  private readonly configured = new Map<string, UsableKey>();
  private readonly configuredById = new Map<string, UsableKey>();
  private readonly tenantIds = new Set<unknown>();

  constructor(
    config: Config,
    private readonly issued: IssuedKeys,
  ) {
    for (const tenant of config.tenants) {
      this.tenantIds.add(tenant.id);
      for (const key of configuredKeys(tenant)) {
        const allowedOrigins = key.allowedOrigins && new Set(key.allowedOrigins);
        const known = usableKey(tenant, { ...key, root: key.fingerprint, allowedOrigins });
        this.configured.set(key.hash.toString('base64'), known);
        this.configuredById.set(key.id, known);
      }
    }
  }

  isTenant(id: unknown): id is string {
    return this.tenantIds.has(id);
  }

  /** Returns the key with this text, or a promise for one that may be new. Throws a 503 if it cannot be known whether the key is valid. */
  find(text: string): UsableKey | Promise<UsableKey | undefined> | undefined {
    const hash = hashOfSecret(text);
    const known = this.configured.get(hash) ?? this.issued.find(hash);
    if (!known) return isSecret('tvk_', text) ? this.findNew(hash) : undefined;
    this.issued.noteUse(known);
    return known;
  }

  /** Returns the valid key with this UUID. It is not used by that. Throws a 503 as `find` does. */
  async findById(tenantId: string, id: string): Promise<UsableKey | undefined> {
    const known = this.configuredById.get(id);
    return known?.caller.tenantId === tenantId ? known : this.issued.findById(tenantId, id);
  }

  private async findNew(hash: string): Promise<UsableKey | undefined> {
    const known = await this.issued.findNew(hash);
    if (known) this.issued.noteUse(known);
    return known;
  }
}
