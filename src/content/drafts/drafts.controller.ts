import { Controller, Delete, Get, Headers, HttpCode, Patch, Post, Query as QueryString } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { RequiresKey, WithCaller } from '../../access/access.js';
import { Problem } from '../../errors/problem.js';
import { ProblemResponses } from '../../errors/problem-responses.js';
import type { Caller } from '../../http/caller.js';
import type { CheckedBody } from '../../http/bodies/dto.pipe.js';
import { JsonText } from '../../http/http-adapter.js';
import type { JsonStream } from '../../http/responses/json-stream.js';
import { ListResponse } from '../../lists/page.dto.js';
import { pageParameters, readPage } from '../../lists/page.js';
import { listResponse } from '../../lists/streamed-list.js';
import { readCodes } from '../locales/known-codes.js';
import { localeParameters, readLocale, readWriteLocale, writeLocaleParameter } from '../locales/locale-request.js';
import { asRead, LocalePresenter } from '../locales/locale-presenter.js';
import { type DraftFilter, DraftListService } from './draft-list.service.js';
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
import { draftEtag, readDraftIfMatch, readIfNoDraft } from './draft-etag.js';
import { IfMatchDraft, IfNoDraft, TaggedDraft } from './draft-etag-headers.js';
import { type Draft, presentDraft } from './draft-presenter.js';
import { DraftDto, SaveDraftDto } from './drafts.dto.js';
import { DraftsService } from './drafts.service.js';
import { PublishDraft } from './publish-draft.js';

const TaggedEntry = ApiResponse({
  status: 200,
  headers: {
    ETag: { description: 'The new version of the entry.', schema: { type: 'string', example: '"v4"' } },
  },
});

@ApiTags('Drafts')
@Controller('v1/content/:tenant_id/types/:content_type_id/entries/:entry_id/draft')
export class DraftsController {
  constructor(
    private readonly drafts: DraftsService,
    private readonly publishDraft: PublishDraft,
    private readonly responses: EntryResponses,
    private readonly locales: LocalePresenter,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Get a draft',
    description:
      'Returns 404 if the entry has no draft. An entry that is not published and waits for review is its own draft, without `changed` fields.',
  })
  @RequiresKey('content', 'read', { isUnpublished: true })
  @Parameters(...localeParameters)
  @DataResponse(DraftDto)
  @TaggedDraft
  async get(
    @WithCaller() caller: Caller,
    @TypeParam() type: IdOrSlug,
    @EntryIdParam() entryId: string,
    @QueryString() query: Query,
  ): Promise<JsonText> {
    const locale = readLocale(query);
    const draft = await this.drafts.get(caller, type, entryId);
    return present(await this.locales.draftIn(caller, draft, locale));
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
  @IfNoDraft
  @RequiresKey('content', 'draft')
  @Parameters(writeLocaleParameter)
  @WrittenResponse(DraftDto)
  @TaggedDraft
  async save(
    @WithCaller() caller: Caller,
    @TypeParam() type: IdOrSlug,
    @EntryIdParam() entryId: string,
    @JsonBodyWithValues(SaveDraftDto) body: CheckedBody<SaveDraftDto>,
    @QueryString() query: Query,
    @Headers('If-Match') ifMatch?: string,
    @Headers('If-None-Match') ifNoneMatch?: string,
  ): Promise<JsonText> {
    const locale = readWriteLocale(query);
    const how = { precondition: readDraftIfMatch(ifMatch), isNew: readIfNoDraft(ifNoneMatch), locale };
    const draft = await this.drafts.save(caller, type, entryId, body, how);
    return draftAnswer(caller, await this.locales.draftIn(caller, draft, asRead(locale)));
  }

  @Delete()
  @ApiOperation({ summary: 'Discard a draft', description: 'The live values stay as they are. Emits no event.' })
  @IfMatchDraft
  @RequiresKey('content', 'draft')
  @Parameters({ name: 'locale', schema: { type: 'string' }, description: 'Discards only the values of this locale.' })
  @MessageResponse()
  async discard(
    @WithCaller() caller: Caller,
    @TypeParam() type: IdOrSlug,
    @EntryIdParam() entryId: string,
    @QueryString() query: Query,
    @Headers('If-Match') ifMatch?: string,
  ): Promise<Message> {
    await this.drafts.discard(caller, type, entryId, readDraftIfMatch(ifMatch), readWriteLocale(query));
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
    {
      name: 'locale',
      schema: { type: 'string' },
      description:
        'The codes of locales, separated by commas: only their values become live, and the rest stays in the draft. Values of fields that are not ' +
        'localized go with the default locale. Without it, everything becomes live. The response is in the first of them.',
    },
    shapeParameter,
  )
  @WrittenResponse(UpdatedEntryDto)
  @TaggedEntry
  @ProblemResponses('conflict', 'validation_failed')
  async publish(
    @WithCaller() caller: Caller,
    @TypeParam() type: IdOrSlug,
    @EntryIdParam() entryId: string,
    @QueryString() query: Query,
    @WithShape() shape: Shape,
    @Headers('If-Match') ifMatch?: string,
  ): Promise<JsonText> {
    const locales = readCodes(query, 'locale');
    const publication = { ...readFolding(query, ifMatch), locales };
    const entry = await this.publishDraft.publish(caller, type, entryId, publication);
    return this.responses.changed(caller, entry, { shape, locale: locales?.[0] });
  }

  @Post('apply')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Apply a draft',
    description:
      "Makes the draft's own values those of an entry that is not published, and removes the draft, at once. The status stays `draft`, and a " +
      'review goes on. Emits `entry.updated`. Required values may still be missing. If the entry is published, the response is 409. It is also ' +
      '409 if fields of the draft were changed on the entry since they were saved in the draft; `errors` then names them.',
  })
  @IfMatchDraft
  @RequiresKey('content', 'draft')
  @Parameters(
    {
      name: 'force',
      schema: { type: 'boolean' },
      description: 'With `true`, applies also if fields of the draft were changed on the entry.',
    },
    shapeParameter,
  )
  @WrittenResponse(UpdatedEntryDto)
  @TaggedEntry
  @ProblemResponses('conflict', 'validation_failed')
  async apply(
    @WithCaller() caller: Caller,
    @TypeParam() type: IdOrSlug,
    @EntryIdParam() entryId: string,
    @QueryString() query: Query,
    @WithShape() shape: Shape,
    @Headers('If-Match') ifMatch?: string,
  ): Promise<JsonText> {
    const folding = readFolding(query, ifMatch);
    return this.responses.changed(caller, await this.publishDraft.apply(caller, type, entryId, folding), { shape });
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
  @Parameters(
    ...pageParameters,
    { name: 'review', schema: { type: 'boolean' }, description: 'Whether the drafts wait for review.' },
    {
      name: 'mine',
      schema: { type: 'boolean' },
      description:
        'With `true`, lists what the caller was the last to save, also drafts that were applied to entries that are not published. The last ' +
        'saved one comes first. Not together with `review`.',
    },
  )
  @ListResponse(DraftDto)
  async listDrafts(@WithCaller() caller: Caller, @QueryString() query: Query): Promise<JsonText | JsonStream> {
    return listResponse(await this.drafts.list(caller, readPage(query), readFilter(query)));
  }
}

/** Throws a 400 if the drafts of the caller are limited by their reviews. */
function readFilter(query: Query): DraftFilter {
  const filter = { isWaiting: readFlag(query, 'review'), isMine: readFlag(query, 'mine') ?? false };
  if (filter.isMine && filter.isWaiting !== undefined) {
    throw Problem.parameter('mine', 'mine=true cannot be combined with review.');
  }
  return filter;
}

/** What publishing and applying a draft have in common. */
function readFolding(query: Query, ifMatch: string | undefined) {
  return { force: readFlag(query, 'force') ?? false, precondition: readDraftIfMatch(ifMatch) };
}

function present(draft: Draft): JsonText {
  return new JsonText(`{"data":${presentDraft(draft)}}`, { ETag: draftEtag(draft.number) });
}
