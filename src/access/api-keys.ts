import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import type { Caller } from '../http/caller.js';

/** The configured API keys, indexed by their hash. A lookup needs no query, and its timing reveals nothing about a key. */
@Injectable()
export class ApiKeys {
  private readonly callers = new Map<string, Caller>();
  private readonly tenantIds = new Set<unknown>();

  constructor(config: Config) {
    for (const tenant of config.tenants) {
      this.tenantIds.add(tenant.id);
      for (const key of tenant.apiKeys) {
        const hash = key.hash.toString('base64');
        this.callers.set(hash, {
          tenantId: tenant.id,
          keyName: key.name,
          keyId: hash.slice(0, 16),
          scopes: new Set(key.scopes),
          publishedOnly: !key.scopes.some((scope) => scope === '*' || scope === 'read' || scope === 'content:read'),
          share: tenant.id,
          allowedOrigins: key.allowedOrigins && new Set(key.allowedOrigins),
          rateLimit: tenant.rateLimit,
        });
      }
    }
  }

  isTenant(id: unknown): id is string {
    return this.tenantIds.has(id);
  }

  /** Returns the caller that the key belongs to; undefined for an unknown key. */
  find(key: string): Caller | undefined {
    return this.callers.get(createHash('sha256').update(key).digest('base64'));
  }
}
