import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { SecretBox } from './secret-box.js';
import type { Webhook } from './webhook.entity.js';

/** How long a replaced secret goes on signing. */
const OVERLAP_MS = 24 * 3_600_000;

type Owner = Pick<Webhook, 'tenantId' | 'id'>;
type Secrets = Pick<Webhook, 'secret' | 'previousSecret' | 'previousSecretUntil'>;

/** The secrets of webhooks, sealed for their rows and opened for signing. */
@Injectable()
export class WebhookSecrets {
  private readonly box: SecretBox;

  constructor({ encryptionKeys }: Config) {
    this.box = new SecretBox(encryptionKeys);
  }

  /** The columns of a webhook whose secret becomes `secret`; null removes it. None when it is the current secret. */
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

  /** Throws when the key that it was sealed with is gone. */
  open(webhook: Owner, sealed: string): string {
    return this.box.open(sealed, contextOf(webhook));
  }

  /** The current secret; undefined when there is none, or when its key is gone and only a new secret helps. */
  private readable(webhook: Owner & Secrets): string | undefined {
    try {
      return webhook.secret === null ? undefined : this.open(webhook, webhook.secret);
    } catch {
      return undefined;
    }
  }
}

/** What a sealed secret is bound to: it opens for the same webhook only. */
export function contextOf({ tenantId, id }: Owner): string {
  return `${tenantId}/${id}`;
}
