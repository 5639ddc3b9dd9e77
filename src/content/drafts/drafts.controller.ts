import { Controller, Delete, Get, Headers, HttpCode, Patch, Post, Query as QueryString } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { RequiresKey, WithCaller } from '../../access/access.js';
import { ProblemResponses } from '../../errors/problem-responses.js';
import type { Caller } from '../../http/caller.js';
import type { CheckedBody } from '../../http/bodies/dto.pipe.js';
import { JsonText } from '../../http/http-adapter.js';
import type { JsonStream } from '../../http/responses/json-stream.js';
import { ListResponse } from '../../lists/page.dto.js';
import { pageParameters, readPage } from '../../lists/page.js';
import { listResponse } from '../../lists/streamed-list.js';
import { DraftListService } from './draft-list.service.js';
import { JsonBodyWithValues } from '../../http/bodies/json-body.decorator.js';
import { Parameters, readFlag } from '../../http/parameters.js';
import type { Query } from '../../http/query.js';
import { DataResponse, type Message, MessageResponse, WrittenResponse } from '../../http/responses/responses.js';
import type { IdOrSlug } from '../../ids/id-or-slug.js';
import { EntryIdParam } from '../entry-id-param.js';
import { UpdatedEntryDto } from '../entries/entries.dto.js';
import { EntryResponses } from '../entries/entry-responses.js';
import { type Shape, shapeParameter, WithShape } from '../reading/shape.js';
import { draftAnswer } from './draft-answer.js';
import { TypeParam } from '../type-param.js';
import { draftEtag, readDraftIfMatch } from './draft-etag.js';
import { IfMatchDraft, TaggedDraft } from './draft-etag-headers.js';
import { type Draft, presentDraft } from './draft-presenter.js';
import { DraftDto, SaveDraftDto } from './drafts.dto.js';
import { DraftsService } from './drafts.service.js';

@ApiTags('Drafts')
@Controller('v1/content/:tenant_id/types/:content_type_id/entries/:entry_id/draft')
export class DraftsController {
  constructor(
    private readonly drafts: DraftsService,
    private readonly responses: EntryResponses,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Get a draft',
    description:
      'Returns 404 if the entry has no draft. An entry that is not published and waits for review is its own draft, without `changed` fields.',
  })
  @RequiresKey('content', 'read', { isUnpublished: true })
  @DataResponse(DraftDto)
  @TaggedDraft
  async get(
    @WithCaller() caller: Caller,
    @TypeParam() type: IdOrSlug,
    @EntryIdParam() entryId: string,
  ): Promise<JsonText> {
    return present(await this.drafts.get(caller, type, entryId));
  }

  @Patch()
  @ApiOperation({
    summary: 'Save a draft',
    description:
      'Saves values beside the live ones, which do not change. Makes the draft if there is none. The values are checked as those ' +
      'of an update without `status: published`; unique values are checked now and claimed when the draft is published. Emits no ' +
      'event. Without values, returns the draft as it is, or 404 if there is none. An API key that may not read drafts gets the ID alone, ' +
      'and 403 without values.',
  })
  @IfMatchDraft
  @RequiresKey('content', 'draft')
  @WrittenResponse(DraftDto)
  @TaggedDraft
  async save(
    @WithCaller() caller: Caller,
    @TypeParam() type: IdOrSlug,
    @EntryIdParam() entryId: string,
    @JsonBodyWithValues(SaveDraftDto) body: CheckedBody<SaveDraftDto>,
    @Headers('If-Match') ifMatch?: string,
  ): Promise<JsonText> {
    return draftAnswer(caller, await this.drafts.save(caller, type, entryId, body, readDraftIfMatch(ifMatch)));
  }

  @Delete()
  @ApiOperation({ summary: 'Discard a draft', description: 'The live values stay as they are. Emits no event.' })
  @IfMatchDraft
  @RequiresKey('content', 'draft')
  @MessageResponse()
  async discard(
    @WithCaller() caller: Caller,
    @TypeParam() type: IdOrSlug,
    @EntryIdParam() entryId: string,
    @Headers('If-Match') ifMatch?: string,
  ): Promise<Message> {
    await this.drafts.discard(caller, type, entryId, readDraftIfMatch(ifMatch));
    return { message: 'The draft was discarded.' };
  }

  @Post('publish')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Publish a draft',
    description:
      "Makes the draft's own values live, sets the status to `published` and removes the draft, at once. Emits `entry.updated` and " +
      '`entry.published`. If fields of the draft were changed on the live entry since they were saved in the draft, the response is ' +
      '409, and `errors` names them. If the entry would not match its content type, the response is 422.',
  })
  @IfMatchDraft
  @RequiresKey('content', 'write')
  @Parameters(
    {
      name: 'force',
      schema: { type: 'boolean' },
      description: 'With `true`, publishes also if fields of the draft were changed on the live entry.',
    },
    shapeParameter,
  )
  @WrittenResponse(UpdatedEntryDto)
  @ApiResponse({
    status: 200,
    headers: {
      ETag: { description: 'The new version of the entry.', schema: { type: 'string', example: '"v4"' } },
    },
  })
  @ProblemResponses('conflict', 'validation_failed')
  async publish(
    @WithCaller() caller: Caller,
    @TypeParam() type: IdOrSlug,
    @EntryIdParam() entryId: string,
    @QueryString() query: Query,
    @WithShape() shape: Shape,
    @Headers('If-Match') ifMatch?: string,
  ): Promise<JsonText> {
    const publication = { force: readFlag(query, 'force') ?? false, precondition: readDraftIfMatch(ifMatch) };
    return this.responses.changed(caller, await this.drafts.publish(caller, type, entryId, publication), shape);
  }
}

@ApiTags('Drafts')
@Controller('v1/content/:tenant_id/drafts')
export class DraftListController {
  constructor(private readonly drafts: DraftListService) {}

  @Get()
  @ApiOperation({
    summary: 'List drafts',
    description:
      'Lists the drafts of the entries of all content types. The last changed one comes first. With `review=true`, lists what waits for ' +
      'review, also entries that are not published and have no draft. The last request comes first.',
  })
  @RequiresKey('content', 'read', { isUnpublished: true, keepsToTypes: true })
  @Parameters(...pageParameters, {
    name: 'review',
    schema: { type: 'boolean' },
    description: 'Whether the drafts wait for review.',
  })
  @ListResponse(DraftDto)
  async list(@WithCaller() caller: Caller, @QueryString() query: Query): Promise<JsonText | JsonStream> {
    return listResponse(await this.drafts.list(caller, readPage(query), readFlag(query, 'review')));
  }
}

function present(draft: Draft): JsonText {
  return new JsonText(`{"data":${presentDraft(draft)}}`, { ETag: draftEtag(draft.number) });
}
