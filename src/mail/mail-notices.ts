import { Injectable, Logger } from '@nestjs/common';
import { Config } from '../config/config.js';
import type { Transaction } from '../database/transaction.js';
import type { EventRow } from '../events/event-presenter.js';
import type { RelayedEvent } from '../events/subscribers/subscriber.js';
import { firstUuidOf } from '../ids/type-id.js';
import { WorkFailure } from '../work/work-failure.js';
import { WorkServices } from '../work/work-services.js';
import { WorkSubscriber } from '../work/work-subscriber.js';
import { MailTimes } from './mail-times.js';
import { MailTransports } from './transports/mail-transports.js';
import { composeNotice, type Notice } from './messages/notice.js';
import { RECENT_NOTICES } from './notices.sql.js';
import { maskAddresses, mailRefusal } from './transports/refusal.js';
import { parseSender } from './transports/sender.js';

const HOUR_MS = 3_600_000;
/** Maximum number of notices of a tenant in an hour. A webhook that fails and succeeds in turn would cause any number. */
const HOURLY_LIMIT = 20;
const CONCURRENCY = 2;

/**
 * Sends an email to the `contact_email` of the tenant when one of its webhooks is failing or was made inactive. It takes the events in the
 * relay, like `MailSubscriber`, because a position of its own would cost a statement for the events of every tenant.
 */
@Injectable()
export class MailNotices extends WorkSubscriber {
  readonly name = 'mail-notices';
  readonly startsFrom = 'now';
  override readonly types = ['webhook.failing', 'webhook.disabled'] as const;
  private readonly log = new Logger('Mail');
  /** Tenants with notices that were written but perhaps not committed yet. */
  private readonly written = new Set<string>();

  constructor(
    services: WorkServices,
    times: MailTimes,
    private readonly transports: MailTransports,
    private readonly config: Config,
  ) {
    const { attempt, schedule, grace } = times;
    super(services, 'mail_notices', { concurrency: CONCURRENCY, timeoutMs: attempt, schedule, graceMs: grace });
  }

  protected override register(): void {
    this.services.subscribers.addToRelay(this);
  }

  override async accept(transaction: Transaction, tenantId: string, events: readonly RelayedEvent[]): Promise<void> {
    const about = events.filter(({ type }) => (this.types as readonly string[]).includes(type));
    if (about.length === 0 || this.contactOf(tenantId) === undefined) return;
    const since = firstUuidOf(new Date(Date.now() - HOUR_MS));
    const [recent] = await transaction.query(tenantId, RECENT_NOTICES, { since, most: HOURLY_LIMIT });
    const accepted = about.slice(0, HOURLY_LIMIT - (recent?.total ?? 0));
    if (accepted.length < about.length) {
      this.log.warn(
        { tenant_id: tenantId, limit: HOURLY_LIMIT },
        'Too many events about webhooks; some cause no email',
      );
    }
    if (accepted.length === 0) return;
    await super.accept(transaction, tenantId, accepted);
    this.written.add(tenantId);
  }

  override committed(tenantId: string): void {
    if (this.written.delete(tenantId)) super.committed(tenantId);
  }

  protected async process(tenantId: string, event: EventRow, signal: AbortSignal): Promise<void> {
    const to = this.contactOf(tenantId);
    // The address was removed from the configuration.
    if (to === undefined) return;
    const webhook = JSON.parse(event.data) as Notice['webhook'];
    const notice = { eventId: event.id, type: event.type, occurredAt: event.occurredAt, webhook };
    const message = composeNotice(
      notice,
      this.tenantOf(tenantId)?.name ?? tenantId,
      parseSender(this.config.mailFrom),
      to,
    );
    try {
      await this.transports.current.send(message, signal);
    } catch (error) {
      const { reason, permanent } = mailRefusal(error);
      throw new WorkFailure(maskAddresses(reason, to), { permanent });
    }
  }

  private contactOf(tenantId: string): string | undefined {
    return this.tenantOf(tenantId)?.contactEmail;
  }

  private tenantOf(tenantId: string) {
    return this.config.tenants.find(({ id }) => id === tenantId);
  }
}
