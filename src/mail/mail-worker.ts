import { Injectable, Logger, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { Database } from '../database/database.js';
import { formatId } from '../ids/type-id.js';
import { Metrics } from '../observability/metrics.js';
import type { Job } from '../queues/job.js';
import type { QueueWorker } from '../queues/queue-worker.js';
import { Queues } from '../queues/queues.js';
import { pauseAfter } from '../queues/retry-schedule.js';
import { FairSemaphore } from '../work/fair-semaphore.js';
import { withTimeLimit } from '../work/time-limit.js';
import type { Settled, WorkSource } from '../work/work-item.js';
import { WorkLoop } from '../work/work-loop.js';
import { AutoresponderMails, type Unsent } from './autoresponder.js';
import { LetterMails } from './letters/letter-mails.js';
import { type ComposedMail, MailComposer } from './messages/mail-composer.js';
import { MailTimes } from './mail-times.js';
import { MailRefusal } from './transports/mail-transport.js';
import { MailTransports } from './transports/mail-transports.js';
import { type Claimed, type MailResult, Mails } from './mails.js';
import type { MailTable } from './mail-work.sql.js';
import { maskAddresses, type Refusal, mailRefusal } from './transports/refusal.js';

const CANCELED: MailResult = { status: 'canceled', reason: null, pauseMs: null };
/**
 * A submission was deleted before the email with it was stored. A digest is then composed of the others. Of a canceled letter, nothing is stored.
 */
const AGAIN: MailResult = { status: 'pending', reason: null, pauseMs: 0 };

const TOO_LATE = 'The email could not be sent in time.';

/** Separates the tenant from the table in the name of a group. No tenant's ID contains it. */
const OF = '/';

/**
 * Sends due emails. Tenants take turns, and one tenant alone uses about half of the transport's connections. However many emails it has,
 * and however slow their server is, the emails of another tenant are sent.
 */
@Injectable()
export class MailWorker implements QueueWorker, WorkSource<Claimed, MailResult>, OnModuleInit, OnModuleDestroy {
  readonly queue = 'mail';
  private readonly logger = new Logger('Mail');
  private started?: WorkLoop<Claimed, MailResult>;
  private away = false;

  constructor(
    private readonly database: Database,
    private readonly mails: Mails,
    private readonly composer: MailComposer,
    private readonly autoresponder: AutoresponderMails,
    private readonly letters: LetterMails,
    private readonly transports: MailTransports,
    private readonly times: MailTimes,
    private readonly queues: Queues,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.queues.register(this);
  }

  /** Lets running attempts finish, or aborts them if they take too long. Their results are stored in both cases. */
  async onModuleDestroy(): Promise<void> {
    await this.started?.stop(this.times.grace, () => this.transports.close());
    this.transports.close();
  }

  async work({ tenantId }: Job): Promise<void> {
    await this.loop.work(tenantId);
  }

  stopClaiming(): void {
    this.started?.stopClaiming();
  }

  async due(): Promise<Job[]> {
    return this.mails.tenantsWithDue();
  }

  async isDue({ tenantId }: Job): Promise<boolean> {
    return (await this.mails.dueTables(tenantId)).length > 0;
  }

  /** All emails of a tenant in a table are one group. */
  async groups(tenantId: string): Promise<string[]> {
    return (await this.mails.dueTables(tenantId)).map((table) => `${tenantId}${OF}${table}`);
  }

  async claim(tenantId: string, group: string, count: number): Promise<Claimed[]> {
    const table = group.slice(tenantId.length + OF.length) as MailTable;
    return this.mails.claim(tenantId, table, count, this.times.lease);
  }

  async attempt(tenantId: string, _group: string, mail: Claimed, stop: AbortSignal): Promise<MailResult> {
    const result = await this.send(tenantId, mail, stop).catch(mailRefusal);
    if ('status' in result) return result;
    const { reason, permanent } = result;
    const pauseMs = permanent ? undefined : pauseAfter(this.times.schedule, mail.attempts + 1);
    this.noteRefused(tenantId, mail, reason, pauseMs);
    if (pauseMs === undefined) return { status: 'failed', reason, pauseMs: null };
    return { status: 'pending', reason, pauseMs };
  }

  async store(tenantId: string, settled: readonly Settled<Claimed, MailResult>[]): Promise<void> {
    await this.mails.settle(tenantId, settled);
  }

  async release(tenantId: string, mails: readonly Claimed[]): Promise<void> {
    await this.mails.release(tenantId, mails);
  }

  /** Created with the first email, because the transport is known only when all modules are initialized. Claims one email for each permit. */
  private get loop(): WorkLoop<Claimed, MailResult> {
    if (this.started) return this.started;
    const { connections } = this.transports.current;
    const options = { name: 'mails', concurrency: connections, minBatch: 1, maxBatch: 1 };
    return (this.started = new WorkLoop<Claimed, MailResult>(this, {
      ...options,
      semaphore: new FairSemaphore(connections, this.database),
      restrictedTenants: this.database,
    }));
  }

  private async send(tenantId: string, mail: Claimed, stop: AbortSignal): Promise<MailResult | Refusal> {
    const composed = await this.compose(tenantId, mail);
    if (composed === 'later') return this.delayed(mail);
    if (composed && 'skipped' in composed) {
      this.metrics.mails.inc({ outcome: 'skipped' });
      return { status: 'skipped', reason: composed.skipped, pauseMs: null };
    }
    if (!composed) {
      this.metrics.mails.inc({ outcome: 'canceled' });
      return CANCELED;
    }
    const { message, submissionIds } = composed;
    const transport = this.transports.current;
    await withTimeLimit(this.times.attempt, stop, (signal) => transport.send(message, signal)).catch((error) => {
      throw mail.table === 'letters' ? withoutRecipient(error, message.to.address) : error;
    });
    if (transport.forget && !(await this.mails.isWanted(tenantId, mail, submissionIds))) {
      await transport.forget([message.id]);
      return AGAIN;
    }
    return this.accepted();
  }

  private async compose(tenantId: string, mail: Claimed): Promise<ComposedMail | Unsent | undefined> {
    if (mail.table === 'letters') return this.letters.compose(tenantId, mail);
    return (mail.field === null ? this.composer : this.autoresponder).compose(tenantId, mail);
  }

  /** Without a reason, like an email that nobody has tried to send yet: the reason is not for the tenant. */
  private delayed({ attempts }: Claimed): MailResult {
    const pauseMs = pauseAfter(this.times.schedule, attempts + 1);
    this.metrics.mails.inc({ outcome: pauseMs === undefined ? 'failed' : 'retried' });
    if (pauseMs === undefined) return { status: 'failed', reason: TOO_LATE, pauseMs: null };
    return { status: 'pending', reason: null, pauseMs };
  }

  private accepted(): MailResult {
    this.metrics.mails.inc({ outcome: 'sent' });
    if (this.away) this.logger.log('Emails are accepted again');
    this.away = false;
    return { status: 'sent', reason: null, pauseMs: null };
  }

  private noteRefused(tenantId: string, mail: Claimed, reason: string, pauseMs: number | undefined): void {
    this.metrics.mails.inc({ outcome: pauseMs === undefined ? 'failed' : 'retried' });
    const log = {
      tenant_id: tenantId,
      ...(mail.table === 'letters'
        ? { letter: mail.kind, reason }
        : { submission: formatId('sub', mail.submissionId), reason: maskAddresses(reason, mail.recipient) }),
      attempts: mail.attempts + 1,
    };
    if (pauseMs === undefined) this.logger.error(log, 'An email failed permanently');
    // Log this once, not for each email that waits for an unavailable server.
    else if (!this.away) this.logger.warn(log, 'An email was not accepted; it will be retried');
    if (pauseMs !== undefined) this.away = true;
  }
}

/** The reason is stored, and a letter's row does not contain the address. */
function withoutRecipient(error: unknown, address: string): MailRefusal {
  const { reason, permanent } = mailRefusal(error);
  return new MailRefusal(maskAddresses(reason, address), { permanent, cause: error });
}
