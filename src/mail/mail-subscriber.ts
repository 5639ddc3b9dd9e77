import { Injectable, Logger, OnModuleInit } from '@nestjs/common';
import { Database, type Transaction } from '../database/database.js';
import { type EventSubscriber, type RelayedEvent, Subscribers } from '../events/subscriber.js';
import { formatId, parseId } from '../ids/type-id.js';
import { Queues } from '../queues/queues.js';
import { PRUNE, WRITE } from './mails.sql.js';

/**
 * Sees to it that each submission to a form with an address to notify has its mail. It keeps no event from the retention: a mail is
 * composed from the submission.
 */
@Injectable()
export class MailSubscriber implements EventSubscriber, OnModuleInit {
  readonly name = 'mail';
  private readonly logger = new Logger('Mail');
  /** Tenants for whom mails were written, though perhaps not committed. */
  private readonly written = new Set<string>();

  constructor(
    private readonly subscribers: Subscribers,
    private readonly database: Database,
    private readonly queues: Queues,
  ) {}

  onModuleInit(): void {
    this.subscribers.add(this);
  }

  async accept(transaction: Transaction, tenantId: string, events: readonly RelayedEvent[]): Promise<void> {
    const submissions = events
      .filter(({ type }) => type === 'form.submitted')
      .flatMap((event) => this.submissionOf(tenantId, event) ?? []);
    if (submissions.length === 0) return;
    const ids = submissions.map(({ id }) => id);
    const formIds = submissions.map(({ formId }) => formId);
    const written = await transaction.query(tenantId, WRITE, [ids, formIds]);
    if (written.length > 0) this.written.add(tenantId);
  }

  committed(tenantId: string): void {
    if (this.written.delete(tenantId)) this.queues.wake('mail', { tenantId });
  }

  async prune(tenantId: string, before: string): Promise<void> {
    while ((await this.database.query(tenantId, PRUNE, [before])).length > 0);
  }

  /** The UUIDs in the event's data, which is the submission as its list shows it. */
  private submissionOf(tenantId: string, event: RelayedEvent): { id: string; formId: string } | undefined {
    const submission = JSON.parse(event.data) as { id?: string; form_id?: string };
    const id = parseId('sub', submission.id ?? '');
    const formId = parseId('frm', submission.form_id ?? '');
    if (id && formId) return { id, formId };
    // To throw would hold up every event of the tenant for an event that will never be right.
    this.logger.error({ tenant: tenantId, event: formatId('evt', event.id) }, 'An event holds no submission: no mail');
    return undefined;
  }
}
