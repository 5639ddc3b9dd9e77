import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { FairQueue } from '../admission/fair-queue.js';
import { formatId } from '../ids/type-id.js';
import { Metrics } from '../observability/metrics.js';
import type { Job } from '../queues/job.js';
import type { QueueWorker } from '../queues/queue-worker.js';
import { Queues } from '../queues/queues.js';
import { KeyedRunner } from '../queues/keyed-runner.js';
import { nextAttemptAt } from '../queues/retry-schedule.js';
import { MailComposer } from './mail-composer.js';
import { MailTimes } from './mail-times.js';
import { MailTransport } from './mail-transport.js';
import { Mails } from './mails.js';
import type { ClaimedMail } from './mails.sql.js';
import { maskAddresses, type Refusal, refusalOf } from './refusal.js';
import { CONNECTIONS } from './smtp-transport.js';

const GONE: Refusal = { reason: 'The submission or its form was deleted.', permanent: true };
/** A job that waits this long for a place ends. A later job checks again whether an email is due. */
const PLACE_WAIT_MS = 60_000;

class NoConnection extends Error {}

/**
 * Sends due emails. Tenants take turns, and one tenant alone uses three of the five connections. However many emails it has, and however
 * slow their server is, the emails of another tenant are sent.
 */
@Injectable()
export class MailWorker implements QueueWorker, OnModuleInit, OnModuleDestroy {
  readonly queue = 'mail';
  private readonly logger = new Logger('Mail');
  private readonly claiming = new KeyedRunner(Infinity);
  private readonly places = new FairQueue({
    concurrency: CONNECTIONS,
    maxWaiting: 1,
    waitMs: PLACE_WAIT_MS,
    refusal: () => new NoConnection(),
  });
  private readonly inProgress = new Set<Promise<void>>();
  private stopping = false;
  private away = false;

  constructor(
    private readonly mails: Mails,
    private readonly composer: MailComposer,
    private readonly transport: MailTransport,
    private readonly times: MailTimes,
    private readonly queues: Queues,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.queues.register(this);
  }

  /** Lets running attempts finish, or aborts them if they take too long. Their results are stored in both cases. */
  async onModuleDestroy(): Promise<void> {
    this.stopClaiming();
    const finished = this.finish();
    await Promise.race([finished, sleep(this.times.grace, undefined, { ref: false })]);
    this.transport.close();
    await finished;
  }

  /** Returns when every due email is being sent, so that a slow email does not hold up the tenant's job. */
  async work({ tenantId }: Job): Promise<void> {
    const claiming = this.claiming.run(tenantId, async () => {
      while (await this.startNext(tenantId));
    });
    await this.track(claiming);
  }

  stopClaiming(): void {
    this.stopping = true;
  }

  async due(): Promise<Job[]> {
    return this.mails.tenantsWithDue();
  }

  async isDue({ tenantId }: Job): Promise<boolean> {
    return this.mails.hasDue(tenantId);
  }

  /**
   * Starts the next due email. Returns false if no email is due. Claims an email only when it can be sent at once, because waiting would
   * use up the lease.
   */
  private startNext(tenantId: string): Promise<boolean> {
    return new Promise((claimed, failed) => {
      const attempt = this.places.run(tenantId, async () => {
        const mail = this.stopping ? undefined : await this.mails.claim(tenantId, this.times.lease);
        claimed(mail !== undefined);
        if (mail) await this.attempt(tenantId, mail);
      });
      this.track(attempt).catch((error: Error) => (error instanceof NoConnection ? claimed(false) : failed(error)));
    });
  }

  /** Never rejects. If a result could not be stored, the email is due again when the lease has ended. */
  private async attempt(tenantId: string, mail: ClaimedMail): Promise<void> {
    try {
      const refusal = await this.send(tenantId, mail);
      if (refusal) await this.noteRefused(tenantId, mail, refusal);
      else await this.noteSent(tenantId, mail);
    } catch (error) {
      const submission = formatId('sub', mail.submissionId);
      this.logger.error(
        { err: error, tenant_id: tenantId, submission },
        'An email was not sent or its result was not saved; it will be sent again',
      );
    }
  }

  /** Returns undefined if the email was accepted. */
  private async send(tenantId: string, mail: ClaimedMail): Promise<Refusal | undefined> {
    const letter = await this.composer.compose(tenantId, mail);
    if (!letter) return GONE;
    try {
      await this.transport.send(letter.name, letter.message, AbortSignal.timeout(this.times.attempt));
      return undefined;
    } catch (error) {
      return refusalOf(error);
    }
  }

  private async noteSent(tenantId: string, mail: ClaimedMail): Promise<void> {
    await this.mails.sent(tenantId, mail);
    this.metrics.mails.inc({ outcome: 'sent' });
    if (this.away) this.logger.log('Emails are accepted again');
    this.away = false;
  }

  private async noteRefused(tenantId: string, mail: ClaimedMail, { reason, permanent }: Refusal): Promise<void> {
    const pause = permanent ? undefined : this.pauseAfter(mail.attempts + 1);
    await this.mails.refused(tenantId, mail, reason, pause);
    this.metrics.mails.inc({ outcome: pause === undefined ? 'failed' : 'retried' });
    const log = {
      tenant_id: tenantId,
      submission: formatId('sub', mail.submissionId),
      attempts: mail.attempts + 1,
      reason: maskAddresses(reason, mail.recipient),
    };
    if (pause === undefined) this.logger.error(log, 'An email failed permanently');
    // Log this once, not for each email that waits for an unavailable server.
    else if (!this.away) this.logger.warn(log, 'An email was not accepted; it will be retried');
    if (pause !== undefined) this.away = true;
  }

  /** Returns milliseconds, or undefined if the schedule is exhausted. */
  private pauseAfter(attempt: number): number | undefined {
    // Counted from zero, so that the database's clock alone decides when the next attempt is due.
    return nextAttemptAt({ schedule: this.times.schedule, attempt, now: new Date(0) })?.getTime();
  }

  private async track(work: Promise<void>): Promise<void> {
    this.inProgress.add(work);
    try {
      await work;
    } finally {
      this.inProgress.delete(work);
    }
  }

  private async finish(): Promise<void> {
    while (this.inProgress.size > 0) await Promise.allSettled(this.inProgress);
  }
}
