import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Config } from '../config/config.js';
import { SecretBox } from './secret-box.js';
import { newSigningKeyPair } from './signing-keys.js';
import type { OwnHeaders } from './webhook-headers.js';
import type { Webhook } from './webhook.entity.js';

/** How long a replaced secret still signs. */
const OVERLAP_MS = 24 * 3_600_000;

type Owner = Pick<Webhook, 'tenantId' | 'id'>;
type Secrets = Pick<Webhook, 'secret' | 'previousSecret' | 'previousSecretUntil'>;

/** Opened texts that are remembered, in characters with their sealed texts. A delivery opens at least one. */
const OPENED_CHARACTERS = 1_000_000;

/** Seals the secrets of webhooks for their rows, and opens them for signing. */
@Injectable()
export class WebhookSecrets {
  private readonly box: SecretBox;
  /** By context and sealed text, which never opens to another text. */
  private readonly opened = new LRUCache<string, { plain: string }>({ maxSize: OPENED_CHARACTERS });

  constructor({ encryptionKeys }: Config) {
    this.box = new SecretBox(encryptionKeys);
  }

  /**
   * Returns the columns that change when a webhook's secret becomes `secret`; null removes it. Returns no columns if it is the current
   * secret.
   */
  replace(webhook: Owner & Secrets, secret: string | null): Partial<Secrets> {
    if (secret === null) return { secret: null, previousSecret: null, previousSecretUntil: null };
    const current = this.readable(webhook);
    if (secret === current) return {};
    return {
      secret: this.box.seal(secret, contextOf(webhook)),
      previousSecret: current === undefined ? null : webhook.secret,
      previousSecretUntil: current === undefined ? null : new Date(Date.now() + OVERLAP_MS),
    };
  }

  /** Returns the columns of a new key pair. */
  newSigningKey(webhook: Owner): Pick<Webhook, 'signingKey' | 'publicKey'> {
    const { privateKey, publicKey } = newSigningKeyPair();
    return { signingKey: this.box.seal(privateKey, contextOf(webhook)), publicKey };
  }

  /** Returns the stored headers; undefined if they cannot be read, because their key is missing and only new ones help. */
  readHeaders(webhook: Owner & Pick<Webhook, 'headers'>): OwnHeaders | undefined {
    try {
      return this.openHeaders(webhook, webhook.headers);
    } catch {
      return undefined;
    }
  }

  sealHeaders(webhook: Owner, headers: OwnHeaders): string {
    return this.box.seal(JSON.stringify(headers), contextOf(webhook));
  }

  /** Throws if the key that they were sealed with is missing. */
  openHeaders(webhook: Owner, sealed: string | null): OwnHeaders {
    return sealed === null ? {} : (JSON.parse(this.open(webhook, sealed)) as OwnHeaders);
  }

  /** Throws if the key that it was sealed with is missing. */
  open(webhook: Owner, sealed: string): string {
    const context = contextOf(webhook);
    const key = `${context} ${sealed}`;
    const known = this.opened.get(key);
    if (known) return known.plain;
    const plain = this.box.open(sealed, context);
    this.opened.set(key, { plain }, { size: key.length + plain.length });
    return plain;
  }

  /** Returns the current secret; undefined if the webhook has no secret, or if its key is missing and only a new secret helps. */
  private readable(webhook: Owner & Secrets): string | undefined {
    try {
      return webhook.secret === null ? undefined : this.open(webhook, webhook.secret);
    } catch {
      return undefined;
    }
  }
}

/** Returns the context of a webhook's secrets: they can be opened for the same webhook only. */
export function contextOf({ tenantId, id }: Owner): string {
  return `${tenantId}/${id}`;
}
