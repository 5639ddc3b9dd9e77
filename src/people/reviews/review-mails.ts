import { Injectable, Logger } from '@nestjs/common';
import { heavyWork, isHeavy } from '../../admission/heavy-work.js';
import { Config } from '../../config/config.js';
import type { TenantConfig } from '../../config/tenants-config.js';
import { type WaitingReview, WaitingReviews } from '../../content/drafts/waiting-reviews.service.js';
import type { Transaction } from '../../database/transaction.js';
import type { EventRow } from '../../events/event-presenter.js';
import type { RelayedEvent } from '../../events/subscribers/subscriber.js';
import { PublicUrl } from '../../http/public-url.js';
import { hashedUuid } from '../../ids/hashed-uuid.js';
import { firstUuidOf, formatId, parseId } from '../../ids/type-id.js';
import { parseSliced } from '../../json/parse-sliced.js';
import type { ReviewRequest } from '../../mail/letters/letter.js';
import { LetterLimits } from '../../mail/letters/letter-limits.js';
import { LetterMails } from '../../mail/letters/letter-mails.js';
import { Letters } from '../../mail/letters/letters.js';
import { WorkServices } from '../../work/work-services.js';
import { WorkSubscriber } from '../../work/work-subscriber.js';
import { RECENT_REQUESTS, type ReviewerRow } from './review-mails.sql.js';
import { Reviewers } from './reviewers.js';

const HOUR_MS = 3_600_000;
/** Maximum number of requests of a tenant in an hour that cause emails. A program could ask for any number of reviews. */
const HOURLY_LIMIT = 500;
const CONCURRENCY = 2;

type Request = Omit<ReviewRequest['about'], 'memberId'>;

/**
 * Writes a letter to each member who wants emails about reviews when somebody asks for one. It takes the events in the relay, like
 * `MailNotices`, because a position of its own would cost a statement for the events of every tenant. Nothing is sent about a review that
 * does not wait any more: it is looked at before the letters are written, and before each attempt to send one.
 */
@Injectable()
export class ReviewMails extends WorkSubscriber {
  readonly name = 'review-mails';
  readonly startsFrom = 'now';
  override readonly types = ['entry.review_requested'] as const;
  private readonly log = new Logger('Mail');
  private readonly tenants: ReadonlyMap<string, TenantConfig>;
  /** Tenants with requests that were written but perhaps not committed yet. */
  private readonly written = new Set<string>();

  constructor(
    services: WorkServices,
    { tenants }: Config,
    private readonly reviews: WaitingReviews,
    private readonly reviewers: Reviewers,
    private readonly letters: Letters,
    private readonly letterLimits: LetterLimits,
    private readonly letterMails: LetterMails,
    private readonly publicUrl: PublicUrl,
  ) {
    super(services, 'review_mails', { concurrency: CONCURRENCY });
    this.tenants = new Map(tenants.map((tenant) => [tenant.id, tenant]));
  }

  protected override register(): void {
    this.services.subscribers.addToRelay(this);
    this.letterMails.askAboutReviews((tenantId, letter) => this.isWanted(tenantId, letter));
  }

  override async accept(transaction: Transaction, tenantId: string, events: readonly RelayedEvent[]): Promise<void> {
    const requests = events.filter(({ type }) => (this.types as readonly string[]).includes(type));
    if (requests.length === 0) return;
    const since = firstUuidOf(new Date(Date.now() - HOUR_MS));
    const [recent] = await transaction.query(tenantId, RECENT_REQUESTS, { since, most: HOURLY_LIMIT });
    if (!recent) return;
    const accepted = requests.slice(0, HOURLY_LIMIT - recent.total);
    if (accepted.length < requests.length) {
      this.log.warn({ tenant_id: tenantId, limit: HOURLY_LIMIT }, 'Too many requests for reviews; some cause no email');
    }
    if (accepted.length === 0) return;
    await super.accept(transaction, tenantId, accepted);
    this.written.add(tenantId);
  }

  override committed(tenantId: string): void {
    if (this.written.delete(tenantId)) super.committed(tenantId);
  }

  protected async process(tenantId: string, event: EventRow, signal: AbortSignal): Promise<void> {
    const tenant = this.tenants.get(tenantId);
    const request = await readRequest(tenantId, event);
    const review = tenant && request && (await this.waiting(tenantId, request));
    if (!review) return;
    const letters: ReviewRequest[] = [];
    for (const reviewer of await this.reviewers.of(tenant, request.typeId, review.memberId)) {
      signal.throwIfAborted();
      if (!(await this.letterLimits.mayRequestReview(tenantId, reviewer.email))) continue;
      letters.push(this.letterTo(reviewer, tenant, { event, request, review }));
    }
    if (letters.length === 0) return;
    await this.services.database.transaction(tenantId, (transaction) =>
      this.letters.write(transaction, tenantId, ...letters),
    );
  }

  /** Its ID follows from the event and the member, so that an event that is processed again causes no other letter. */
  private letterTo(
    { id: memberId, name, email }: ReviewerRow,
    tenant: TenantConfig,
    { event, request, review }: { event: EventRow; request: Request; review: WaitingReview },
  ): ReviewRequest {
    const { by = '', typeName, typeSlug, title, note } = review;
    const entry = formatId('ent', request.entryId);
    return {
      id: hashedUuid(JSON.stringify(['review', event.id, memberId])),
      kind: 'review',
      to: { name, address: email },
      tenant: tenant.name,
      by: by || 'Somebody',
      title,
      contentType: typeName,
      ...(note !== undefined && { note }),
      url: `${this.publicUrl.console}/console/${tenant.id}/content/${typeSlug}/${entry}`,
      about: { ...request, memberId },
    };
  }

  private async isWanted(tenantId: string, { about }: ReviewRequest): Promise<boolean> {
    const tenant = this.tenants.get(tenantId);
    if (!tenant || !(await this.waiting(tenantId, about))) return false;
    return this.reviewers.includes(tenant, about.typeId, about.memberId);
  }

  /** Returns undefined if the review was taken back, has ended, or was asked for again, which is another event. */
  private async waiting(tenantId: string, { typeId, entryId, at }: Request): Promise<WaitingReview | undefined> {
    const review = await this.reviews.find(tenantId, typeId, entryId);
    return review?.at === at ? review : undefined;
  }
}

/** Reads what the event is about. Its data is a draft, which may be large. */
async function readRequest(tenantId: string, { data }: EventRow): Promise<Request | undefined> {
  const draft = (await heavyWork.runIf(isHeavy(data.length), tenantId, parseSliced(data))) as {
    id: string;
    content_type_id: string;
    review: { at: string };
  };
  const [typeId, entryId] = [parseId('ct', draft.content_type_id), parseId('ent', draft.id)];
  return typeId && entryId ? { typeId, entryId, at: draft.review.at } : undefined;
}
