import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Config } from '../config/config.js';
import { Problem } from '../errors/problem.js';
import { SecretBox } from './secret-box.js';
import { newSigningKeyPair } from './signing-keys.js';
import type { OwnHeaders } from './webhook-headers.js';
import type { PreviousSecret, Webhook } from './webhook.entity.js';

/** How long a replaced secret still signs. */
const OVERLAP_MS = 24 * 3_600_000;

/** How many replaced secrets sign at once. Each adds a signature to every delivery. */
const MAX_PREVIOUS = 4;

type Owner = Pick<Webhook, 'tenantId' | 'id'>;
type Secrets = Pick<Webhook, 'secret' | 'previousSecrets'>;

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
   * Returns the columns that change when a webhook's secret becomes `secret`; null removes it and all previous ones. Returns no columns if
   * it is the current secret. Throws a 409 if too many previous secrets still sign.
   */
  replace(webhook: Owner & Secrets, secret: string | null): Partial<Secrets> {
    if (secret === null) return { secret: null, previousSecrets: null };
    const current = this.readable(webhook, webhook.secret);
    if (secret === current) return {};
    const previous = stillValid(webhook.previousSecrets).filter((each) => {
      const plain = this.readable(webhook, each.secret);
      return plain !== undefined && plain !== secret;
    });
    if (webhook.secret !== null && current !== undefined) {
      if (previous.length >= MAX_PREVIOUS) throw tooManyPrevious(previous);
      previous.unshift({ secret: webhook.secret, until: new Date(Date.now() + OVERLAP_MS).toISOString() });
    }
    return {
      secret: this.box.seal(secret, contextOf(webhook)),
      previousSecrets: previous.length === 0 ? null : previous,
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

  /** Returns a secret of the webhook; undefined if there is none, or if its key is missing and only a new secret helps. */
  private readable(webhook: Owner, sealed: string | null): string | undefined {
    try {
      return sealed === null ? undefined : this.open(webhook, sealed);
    } catch {
      return undefined;
    }
  }
}

/** Returns the previous secrets whose time has not ended. */
export function stillValid(previous: readonly PreviousSecret[] | null): PreviousSecret[] {
  return (previous ?? []).filter(({ until }) => Date.parse(until) > Date.now());
}

function tooManyPrevious(previous: readonly PreviousSecret[]): Problem {
  return new Problem(
    'conflict',
    `Deliveries are still signed with ${previous.length} replaced secrets. The oldest ends at ${previous.at(-1)!.until}. ` +
      'Wait until then, or set the secret to null first, which removes all of them at once.',
  );
}

/** Returns the context of a webhook's secrets: they can be opened for the same webhook only. */
export function contextOf({ tenantId, id }: Owner): string {
  return `${tenantId}/${id}`;
}
