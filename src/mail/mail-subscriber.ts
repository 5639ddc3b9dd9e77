import { Injectable, Logger, OnModuleInit } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import type { Transaction } from '../database/transaction.js';
import {
  type EventAbout,
  type RelayedEvent,
  type RelaySubscriber,
  Subscribers,
} from '../events/subscribers/subscriber.js';
import { formatId, newUuid, parseId } from '../ids/type-id.js';
import { Queues } from '../queues/queues.js';
import { ADD_CANCELED, CANCEL_MAILS, LEAVE_DIGESTS, UNFINISHED } from './canceled-mails.sql.js';
import { ADD_HOURS, COUNT, type NewMails, NOTHING, PRUNE, SUBMITTED, type SubmittedRow, WRITE } from './mails.sql.js';
import { HAVE_MAILS, type OtherMails, WRITE_OTHERS } from './other-mails.sql.js';
import { SubmissionMails } from './submission-mails.js';

/** If a form has too many submissions for more than an hour, the interval between its digests is multiplied by this. */
const LATER_DIGESTS = 4;

/**
 * Writes the emails that each submission needs, or adds the submission to a digest. Does not need the events afterwards, because an email is composed from the submission.
 */
@Injectable()
export class MailSubscriber implements RelaySubscriber, OnModuleInit {
  readonly name = 'mail';
  private readonly logger = new Logger('Mail');
  /** Tenants with emails that were written but perhaps not committed yet. */
  private readonly written = new Set<string>();

  constructor(
    private readonly subscribers: Subscribers,
    private readonly database: Database,
    private readonly queues: Queues,
    private readonly config: Config,
    private readonly plans: SubmissionMails,
  ) {}

  onModuleInit(): void {
    this.subscribers.addToRelay(this);
  }

  async accept(transaction: Transaction, tenantId: string, events: readonly RelayedEvent[]): Promise<void> {
    const eventIds = events.filter(({ type }) => type === 'form.submitted').map(({ id }) => id);
    if (eventIds.length === 0) return;
    const rows = await transaction.query(tenantId, SUBMITTED, { eventIds });
    const submissions = rows.flatMap((row) => this.submissionOf(tenantId, row) ?? []);
    if (submissions.length === 0) return;
    const { notifications, others } = await this.plans.plan(transaction, tenantId, submissions);
    const relayed = await this.relayedBefore(transaction, tenantId, others);
    await this.writeNotifications(transaction, tenantId, notifications);
    const indexes = others.ids.flatMap((_id, index) => (relayed.has(others.submissionIds[index] ?? '') ? [] : index));
    if (indexes.length === 0) return;
    await transaction.query(tenantId, WRITE_OTHERS, chosen(others, indexes));
    this.written.add(tenantId);
  }

  committed(tenantId: string): void {
    if (this.written.delete(tenantId)) this.queues.wake('mail', { tenantId });
  }

  async unfinished(tenantId: string, events: readonly EventAbout[]): Promise<string[]> {
    const submissionIds = events.map(({ resourceId }) => resourceId);
    const rows = await this.database.query(tenantId, UNFINISHED, { submissionIds });
    const unfinished = new Set(rows.map(({ submissionId }) => submissionId));
    return events.flatMap(({ id, resourceId }) => (unfinished.has(resourceId) ? id : []));
  }

  async cancel(transaction: Transaction, tenantId: string, submissionIds: readonly string[]): Promise<void> {
    await transaction.query(tenantId, CANCEL_MAILS, { submissionIds });
    const left = await transaction.query(tenantId, LEAVE_DIGESTS, { submissionIds, nothing: NOTHING });
    if (left.length === 0) return;
    await transaction.query(tenantId, ADD_CANCELED, {
      ids: left.map(() => newUuid()),
      submissionIds: left.map(({ submissionId }) => submissionId),
      formIds: left.map(({ formId }) => formId),
      recipients: left.map(({ recipient }) => recipient),
      subjects: left.map(({ subject }) => subject),
    });
  }

  async prune(tenantId: string, before: string): Promise<void> {
    while ((await this.database.query(tenantId, PRUNE, { before })).length > 0);
  }

  private async relayedBefore(
    transaction: Transaction,
    tenantId: string,
    { submissionIds }: OtherMails,
  ): Promise<ReadonlySet<string>> {
    if (submissionIds.length === 0) return new Set();
    const rows = await transaction.query(tenantId, HAVE_MAILS, { submissionIds });
    return new Set(rows.map(({ id }) => id));
  }

  private async writeNotifications(transaction: Transaction, tenantId: string, mails: NewMails): Promise<void> {
    if (mails.ids.length === 0) return;
    const { mailHourlyLimit: hourlyLimit, mailDigestInterval: digestMs } = this.config;
    const counting = { ...mails, hourlyLimit };
    await transaction.query(tenantId, ADD_HOURS, mails);
    const counted = await transaction.query(tenantId, COUNT, counting);
    if (counted.length === 0) return;
    const writing = { ...counting, digestMs, gatheringDigestMs: digestMs * LATER_DIGESTS };
    const gathering = await transaction.query(tenantId, WRITE, writing);
    this.written.add(tenantId);
    for (const { formId } of gathering) {
      const form = formatId('frm', formId);
      this.logger.warn(
        { tenant_id: tenantId, form, limit: hourlyLimit },
        'A form receives more submissions than its hourly email limit; some emails list several submissions',
      );
    }
  }

  /** The UUIDs of the submission that an event is about, and of its form. */
  private submissionOf(tenantId: string, row: SubmittedRow): { id: string; formId: string } | undefined {
    const id = parseId('sub', row.submission ?? '');
    const formId = parseId('frm', row.form ?? '');
    if (id && formId) return { id, formId };
    // Throwing would block all events of the tenant, because this one would fail again and again.
    this.logger.error(
      { tenant_id: tenantId, event: formatId('evt', row.id) },
      'An event contains no submission; no email is sent for it',
    );
    return undefined;
  }
}

/** The emails with these indexes. */
function chosen(mails: OtherMails, indexes: readonly number[]): OtherMails {
  const pick = <Value>(values: readonly Value[]) => indexes.map((index) => values[index] as Value);
  return {
    ids: pick(mails.ids),
    submissionIds: pick(mails.submissionIds),
    formIds: pick(mails.formIds),
    recipients: pick(mails.recipients),
    subjects: pick(mails.subjects),
    fields: pick(mails.fields),
    reasons: pick(mails.reasons),
  };
}
