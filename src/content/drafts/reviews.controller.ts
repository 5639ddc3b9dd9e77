import { Controller, Delete, Headers, Put, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { RequiresKey, WithCaller } from '../../access/access.js';
import { OptionalJsonBody } from '../../http/bodies/json-body.decorator.js';
import type { Caller } from '../../http/caller.js';
import type { JsonText } from '../../http/http-adapter.js';
import { type Message, MessageResponse, WrittenResponse } from '../../http/responses/responses.js';
import type { IdOrSlug } from '../../ids/id-or-slug.js';
import { EntryIdParam } from '../entry-id-param.js';
import { TypeParam } from '../type-param.js';
import { draftAnswer } from './draft-answer.js';
import { readDraftIfMatch } from './draft-etag.js';
import { IfMatchDraft, TaggedDraft } from './draft-etag-headers.js';
import { AskForReviewDto, DraftDto } from './drafts.dto.js';
import { ReviewsService } from './reviews.service.js';

@ApiTags('Drafts')
@Controller('v1/content/:tenant_id/types/:content_type_id/entries/:entry_id/draft/review')
export class ReviewsController {
  constructor(private readonly reviews: ReviewsService) {}

  @Put()
  @ApiOperation({
    summary: 'Ask for a review',
    description:
      'Marks the draft as ready: it has a `review` until it is published or discarded, or the review is taken back. Changing the draft keeps ' +
      'it. An entry that is not published and has no draft is its own draft, and publishing the entry ends the review. Sent again, it replaces the ' +
      'review. Emits `entry.review_requested`.',
  })
  @IfMatchDraft
  @RequiresKey('content', 'draft')
  @WrittenResponse(DraftDto)
  @TaggedDraft
  async request(
    @WithCaller() caller: Caller,
    @TypeParam() type: IdOrSlug,
    @EntryIdParam() entryId: string,
    @OptionalJsonBody(AskForReviewDto) body: AskForReviewDto,
    @Req() { path }: Request,
    @Headers('If-Match') ifMatch?: string,
  ): Promise<JsonText> {
    const draft = await this.reviews.ask(caller, type, entryId, body, readDraftIfMatch(ifMatch));
    return draftAnswer(caller, draft, { Location: path.replace(/\/review\/?$/, '') });
  }

  @Delete()
  @ApiOperation({
    summary: 'Take a review back',
    description: 'The draft stays as it is. Returns 404 if no review waits. Emits no event.',
  })
  @IfMatchDraft
  @RequiresKey('content', 'draft')
  @MessageResponse()
  async withdraw(
    @WithCaller() caller: Caller,
    @TypeParam() type: IdOrSlug,
    @EntryIdParam() entryId: string,
    @Headers('If-Match') ifMatch?: string,
  ): Promise<Message> {
    await this.reviews.takeBack(caller, type, entryId, readDraftIfMatch(ifMatch));
    return { message: 'The review was taken back.' };
  }
}
