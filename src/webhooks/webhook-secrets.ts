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

  /** The columns of a webhook whose secret becomes `secret`; null removes it. To set the same once more changes nothing. */
  replace(webhook: Owner & Secrets, secret: string | null): Secrets {
    if (secret === null) return { secret: null, previousSecret: null, previousSecretUntil: null };
    const current = webhook.secret === null ? undefined : this.open(webhook, webhook.secret);
    if (secret === current) return webhook;
    return {
      secret: this.box.seal(secret, contextOf(webhook)),
      previousSecret: webhook.secret,
      previousSecretUntil: webhook.secret === null ? null : new Date(Date.now() + OVERLAP_MS),
    };
  }

  /** Throws when the key that it was sealed with is gone. */
  open(webhook: Owner, sealed: string): string {
    return this.box.open(sealed, contextOf(webhook));
  }
}

function contextOf({ tenantId, id }: Owner): string {
  return `${tenantId}/${id}`;
}
