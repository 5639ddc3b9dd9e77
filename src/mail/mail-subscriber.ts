import { Injectable, Logger, OnModuleInit } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Database, type Transaction } from '../database/database.js';
import { type EventSubscriber, type RelayedEvent, Subscribers } from '../events/subscriber.js';
import { formatId, parseId } from '../ids/type-id.js';
import { Queues } from '../queues/queues.js';
import { COUNT, PRUNE, SUBMITTED, WRITE } from './mails.sql.js';

/** While a form has too many submissions hour after hour, its digests come this many times less often than in the first. */
const LATER_DIGESTS = 4;

/** An event, and what its data says of a submission. */
interface SubmittedRow {
  id: string;
  submission: string | null;
  form: string | null;
}

/**
 * Sees to it that each submission to a form with an address to notify has its mail, or shares one with others. It keeps no event from the retention: a mail is
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
    private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.subscribers.add(this);
  }

  async accept(transaction: Transaction, tenantId: string, events: readonly RelayedEvent[]): Promise<void> {
    const submitted = events.filter(({ type }) => type === 'form.submitted').map(({ id }) => id);
    if (submitted.length === 0) return;
    const rows = await transaction.query<SubmittedRow>(tenantId, SUBMITTED, [submitted]);
    const submissions = rows.flatMap((row) => this.submissionOf(tenantId, row) ?? []);
    if (submissions.length === 0) return;
    const columns = [submissions.map(({ id }) => id), submissions.map(({ formId }) => formId)];
    const { mailHourlyLimit: limit, mailDigestInterval: interval } = this.config;
    const counted = await transaction.query(tenantId, COUNT, [...columns, limit]);
    if (counted.length === 0) return;
    const pauses = [interval, interval * LATER_DIGESTS];
    const gathering = await transaction.query<{ formId: string }>(tenantId, WRITE, [...columns, limit, ...pauses]);
    this.written.add(tenantId);
    for (const { formId } of gathering) {
      const form = formatId('frm', formId);
      this.logger.warn(
        { tenant: tenantId, form, limit },
        'A form has more submissions an hour than mails: some share one',
      );
    }
  }

  committed(tenantId: string): void {
    if (this.written.delete(tenantId)) this.queues.wake('mail', { tenantId });
  }

  async prune(tenantId: string, before: string): Promise<void> {
    while ((await this.database.query(tenantId, PRUNE, [before])).length > 0);
  }

  /** The UUIDs of the submission that an event is about. */
  private submissionOf(tenantId: string, row: SubmittedRow): { id: string; formId: string } | undefined {
    const id = parseId('sub', row.submission ?? '');
    const formId = parseId('frm', row.form ?? '');
    if (id && formId) return { id, formId };
    // To throw would hold up every event of the tenant for an event that will never be right.
    this.logger.error({ tenant: tenantId, event: formatId('evt', row.id) }, 'An event holds no submission: no mail');
    return undefined;
  }
}
