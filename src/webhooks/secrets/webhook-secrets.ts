import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Config } from '../../config/config.js';
import { Problem } from '../../errors/problem.js';
import { SecretCipher } from '../../secrets/secret-cipher.js';
import { newSigningKeyPair } from './signing-keys.js';
import type { OwnHeaders } from '../options/webhook-headers.js';
import type { PreviousSecret, Webhook } from '../webhook.entity.js';

/** How long a replaced secret still signs. */
const OVERLAP_MS = 24 * 3_600_000;

/** How many replaced secrets sign at once. Each adds a signature to every delivery. */
const MAX_PREVIOUS = 4;

type Owner = Pick<Webhook, 'tenantId' | 'id'>;
type Secrets = Pick<Webhook, 'secret' | 'previousSecrets'>;

/** What a webhook's row has encrypted for its deliveries. */
interface EncryptedSecrets {
  /** The secrets that sign. */
  secrets: readonly string[];
  /** The private key that signs. */
  signingKey: string | null;
  headers: string | null;
}

export interface DecryptedSecrets {
  secrets: readonly string[];
  signingKey: string | undefined;
  headers: OwnHeaders;
}

/** Decrypted texts that are remembered, in characters with their encrypted texts. A delivery decrypts at least one. */
const DECRYPTED_CHARACTERS = 1_000_000;

/** Encrypts the secrets of webhooks for their rows, and decrypts them for signing. */
@Injectable()
export class WebhookSecrets {
  private readonly cipher: SecretCipher;
  /** By context and encrypted text, which never decrypts to another text. */
  private readonly decrypted = new LRUCache<string, { plain: string }>({ maxSize: DECRYPTED_CHARACTERS });

  constructor({ encryptionKeys }: Config) {
    this.cipher = new SecretCipher(encryptionKeys);
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
      secret: this.cipher.encrypt(secret, contextOf(webhook)),
      previousSecrets: previous.length === 0 ? null : previous,
    };
  }

  /** Returns the columns of a new key pair. */
  newSigningKey(webhook: Owner): Pick<Webhook, 'signingKey' | 'publicKey'> {
    const { privateKey, publicKey } = newSigningKeyPair();
    return { signingKey: this.cipher.encrypt(privateKey, contextOf(webhook)), publicKey };
  }

  /** Returns the stored headers; undefined if they cannot be read, because their key is missing and only new ones help. */
  readHeaders(webhook: Owner & Pick<Webhook, 'headers'>): OwnHeaders | undefined {
    try {
      return this.decryptHeaders(webhook, webhook.headers);
    } catch {
      return undefined;
    }
  }

  encryptHeaders(webhook: Owner, headers: OwnHeaders): string {
    return this.cipher.encrypt(JSON.stringify(headers), contextOf(webhook));
  }

  /** Throws if the key that they were encrypted with is missing. */
  decryptHeaders(webhook: Owner, encrypted: string | null): OwnHeaders {
    return encrypted === null ? {} : (JSON.parse(this.decrypt(webhook, encrypted)) as OwnHeaders);
  }

  /** Returns what a delivery is signed with, and the own headers. Throws if a key that they were encrypted with is missing. */
  decryptAll(webhook: Owner, { secrets, signingKey, headers }: EncryptedSecrets): DecryptedSecrets {
    return {
      secrets: secrets.map((secret) => this.decrypt(webhook, secret)),
      signingKey: signingKey === null ? undefined : this.decrypt(webhook, signingKey),
      headers: this.decryptHeaders(webhook, headers),
    };
  }

  /** Throws if the key that it was encrypted with is missing. */
  decrypt(webhook: Owner, encrypted: string): string {
    const context = contextOf(webhook);
    const key = `${context} ${encrypted}`;
    const known = this.decrypted.get(key);
    if (known) return known.plain;
    const plain = this.cipher.decrypt(encrypted, context);
    this.decrypted.set(key, { plain }, { size: key.length + plain.length });
    return plain;
  }

  /** Returns a secret of the webhook; undefined if there is none, or if its key is missing and only a new secret helps. */
  private readable(webhook: Owner, encrypted: string | null): string | undefined {
    try {
      return encrypted === null ? undefined : this.decrypt(webhook, encrypted);
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

/** Returns the context of a webhook's secrets: they can be decrypted for the same webhook only. */
function contextOf({ tenantId, id }: Owner): string {
  return `${tenantId}/${id}`;
}
