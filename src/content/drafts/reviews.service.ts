import { Injectable } from '@nestjs/common';
import { comparable } from '../../access/may-read.js';
import { auditOf } from '../../audit/record-changes.js';
import { Database } from '../../database/database.js';
import { Problem } from '../../errors/problem.js';
import { changedReadOnly } from '../../http/bodies/read-only.js';
import type { Caller } from '../../http/caller.js';
import type { IdOrSlug } from '../../ids/id-or-slug.js';
import { newUuid, parseId } from '../../ids/type-id.js';
import { Attempts, tooManyChanges } from '../entries/writes/attempts.js';
import { entryResource, localesChanged, seenLocales } from '../entries/writes/entry-write.js';
import { concernedLocales } from '../entries/writes/stored-form.js';
import type { CompiledType } from '../schemas.js';
import { assertDraftPermitted, type DraftPrecondition } from './draft-etag.js';
import { type Draft, presentDraft, reviewOf } from './draft-presenter.js';
import type { AskForReviewDto } from './drafts.dto.js';
import { hasDraft, noDraft, reviewableDraft, shownDraft } from './drafts.service.js';
import { GET_WITH_DRAFT } from './drafts.sql.js';
import { ASK_FOR_REVIEW, TAKE_REVIEW_BACK } from './reviews.sql.js';

/** Reviews: drafts that are marked as ready. An entry that is not published is its own draft. */
@Injectable()
export class ReviewsService {
  constructor(
    private readonly database: Database,
    private readonly attempts: Attempts,
  ) {}

  /** Asks for a review, in place of one that waits. Returns the draft. Throws a 404 if the entry is published and has no draft. */
  async ask(
    caller: Caller,
    typeName: IdOrSlug,
    entryId: string,
    dto: AskForReviewDto,
    precondition: DraftPrecondition,
  ): Promise<Draft> {
    const { tenantId, name = null, actorId = '' } = caller;
    const member = parseId('usr', actorId) ?? null;
    const { note = null } = dto;
    for await (const { before, type } of this.attempts.onEntry({ tenantId, typeName, entryId }, GET_WITH_DRAFT)) {
      const draft = reviewableDraft(before);
      if (!draft) throw noDraft();
      const isDraft = hasDraft(before);
      const isTagged = isDraft || before.reviewAt !== null;
      if (isTagged || precondition !== '*') assertDraftPermitted(precondition, isTagged ? before.number : undefined);
      const shown = { area: 'content', typeId: type.id } as const;
      const wrong = changedReadOnly(dto, () => comparable(caller, shown, () => reviewOf(before).review ?? {}));
      if (wrong.length > 0) throw Problem.invalid(wrong);
      const at = new Date().toISOString();
      // Receivers of events learn nothing about persons.
      const asked = await shownDraft(tenantId, type, { ...draft, reviewBy: null, reviewAt: at, reviewNote: note });
      const [saved] = await this.attempts.commit(this.database, tenantId, ASK_FOR_REVIEW, {
        typeId: type.id,
        typeVersion: type.version,
        entryId,
        version: before.version,
        number: before.number,
        isDraft,
        by: member === null ? name : null,
        member,
        note,
        at,
        eventIds: [newUuid()],
        eventTypes: ['entry.review_requested'],
        eventData: presentDraft({ ...asked, more: localesOf(type, asked) }),
        audit: auditOf(caller, { action: 'review_requested', resource: entryResource(entryId) }),
      });
      const { number } = saved ?? {};
      const review = reviewOf({ reviewBy: name, reviewAt: at, reviewNote: note });
      if (number !== undefined) return { ...asked, ...review, number };
    }
    throw tooManyChanges();
  }

  /** Throws a 404 if no review waits. */
  async takeBack(caller: Caller, typeName: IdOrSlug, entryId: string, precondition: DraftPrecondition): Promise<void> {
    const { tenantId } = caller;
    for await (const { before, type } of this.attempts.onEntry({ tenantId, typeName, entryId }, GET_WITH_DRAFT)) {
      const { number, reviewAt } = before;
      if (reviewAt === null) throw Problem.notFound('review');
      assertDraftPermitted(precondition, number);
      const taken = await this.attempts.commit(this.database, tenantId, TAKE_REVIEW_BACK, {
        typeId: type.id,
        entryId,
        number,
        audit: auditOf(caller, { action: 'review_taken_back', resource: entryResource(entryId) }),
      });
      if (taken.length > 0) return;
    }
    throw tooManyChanges();
  }
}

/** What the event says of the locales: those of which the draft has values, and of an entry that is its own draft those that it would show. */
function localesOf(type: CompiledType, { fields, changed }: Draft): string {
  if (!type.locales) return '';
  return localesChanged(changed.length > 0 ? concernedLocales(type, changed) : seenLocales(type, fields));
}
