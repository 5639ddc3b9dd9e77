import { Controller, Delete, Get, Headers, Param, Patch, Post, Query as QueryString } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { RequiresKey, WithCaller } from '../../access/access.js';
import { ProblemResponses } from '../../errors/problem-responses.js';
import type { Caller } from '../../http/caller.js';
import type { CheckedBody } from '../../http/bodies/dto.pipe.js';
import { readIfMatch } from '../../http/responses/etag.js';
import { IfMatch, IfNoneMatch, Tagged } from '../../http/responses/etag-headers.js';
import type { JsonText, NotModified } from '../../http/http-adapter.js';
import { JsonBodyWithValues } from '../../http/bodies/json-body.decorator.js';
import type { JsonStream } from '../../http/responses/json-stream.js';
import { Parameters, readFlag } from '../../http/parameters.js';
import type { Query } from '../../http/query.js';
import { DataResponse, type Message, MessageResponse } from '../../http/responses/responses.js';
import type { IdOrSlug } from '../../ids/id-or-slug.js';
import { ListResponse } from '../../lists/page.dto.js';
import { pageParameters } from '../../lists/page.js';
import { EntryIdParam } from '../entry-id-param.js';
import { type Shape, shapeParameter, WithShape } from '../reading/shape.js';
import { Schemas } from '../schemas.js';
import { TypeParam } from '../type-param.js';
import {
  CreatedEntryDto,
  CreateEntryDto,
  EntryCursorMetaDto,
  EntryDto,
  EntryPageMetaDto,
  EntryResponseDto,
  UpdatedEntryDto,
  UpdateEntryDto,
  WithIncludedDto,
} from './entries.dto.js';
import { readLocale, readWriteLocale, writeLocaleParameter } from '../locales/locale-request.js';
import { entryListParameters, incompleteParameter, oneEntryParameters } from './entries.parameters.js';
import { EntryByValue } from './entry-by-value.service.js';
import { EntryResponses } from './entry-responses.js';
import { CreateEntry } from './writes/create-entry.js';
import { DeleteEntry } from './writes/delete-entry.js';
import { UpdateEntry } from './writes/update-entry.js';

@ApiTags('Entries')
@Controller('v1/content/:tenant_id/types/:content_type_id/entries')
export class EntriesController {
  constructor(
    private readonly responses: EntryResponses,
    private readonly byValue: EntryByValue,
    private readonly creation: CreateEntry,
    private readonly updates: UpdateEntry,
    private readonly deletion: DeleteEntry,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List entries',
    description:
      'Lists the entries of a content type. Without `sort`, the newest entry comes first, or the best match ' +
      'with `search`. The published entries of a `public` content type need no API key. These responses have an ' +
      '`ETag` and can be cached; they are 304 when `If-None-Match` names it, except with `include` or `view=full`.',
  })
  @IfNoneMatch
  @RequiresKey('content', 'read', { exceptPublic: Schemas })
  @Parameters(...pageParameters, ...entryListParameters)
  @ListResponse(EntryDto, [EntryPageMetaDto, EntryCursorMetaDto], WithIncludedDto)
  @ProblemResponses('unknown_field')
  @ApiResponse({ status: 304, description: 'The client already has this page.' })
  async list(
    @WithCaller() caller: Caller,
    @TypeParam() type: IdOrSlug,
    @QueryString() query: Query,
    @WithShape() shape: Shape,
    @Headers('If-None-Match') ifNoneMatch?: string,
  ): Promise<JsonText | JsonStream | NotModified> {
    return this.responses.list(caller, type, { query, shape, ifNoneMatch });
  }

  @Get(':entry_id')
  @ApiOperation({
    summary: 'Get an entry',
    description:
      'The response is 304 when `If-None-Match` names the current version. A published entry of a `public` content ' +
      'type needs no API key. With `include`, `preview=true` or `view=full` the response is never 304.',
  })
  @IfNoneMatch
  @RequiresKey('content', 'read', { exceptPublic: Schemas })
  @Parameters(...oneEntryParameters)
  @ApiOkResponse({ description: 'The request succeeded.', type: EntryResponseDto })
  @Tagged(200)
  @ProblemResponses('unknown_field')
  @ApiResponse({ status: 304, description: 'The client already has this version.' })
  async get(
    @WithCaller() caller: Caller,
    @TypeParam() type: IdOrSlug,
    @EntryIdParam() entryId: string,
    @QueryString() query: Query,
    @WithShape() shape: Shape,
    @Headers('If-None-Match') ifNoneMatch?: string,
  ): Promise<JsonText | JsonStream | NotModified> {
    return this.responses.entry(caller, type, entryId, { query, shape, ifNoneMatch });
  }

  @Get('by/:field/:value')
  @ApiOperation({
    summary: 'Get an entry by a unique value',
    description:
      'Returns the entry that has this value of a `unique` field, as *Get an entry* does: `GET …/entries/by/slug/spring-tides`. The value is ' +
      'percent-encoded, and read by the type of the field. 404 if no entry has it.',
  })
  @IfNoneMatch
  @RequiresKey('content', 'read', { exceptPublic: Schemas })
  @ApiParam({ name: 'field', description: 'The name of a `unique` field.', schema: { type: 'string' } })
  @ApiParam({ name: 'value', description: 'The value, percent-encoded.', schema: { type: 'string' } })
  @Parameters(...oneEntryParameters)
  @ApiOkResponse({ description: 'The request succeeded.', type: EntryResponseDto })
  @Tagged(200)
  @ProblemResponses('unknown_field')
  @ApiResponse({ status: 304, description: 'The client already has this version.' })
  async getEntryByValue(
    @WithCaller() caller: Caller,
    @TypeParam() name: IdOrSlug,
    @Param('field') field: string,
    @Param('value') value: string,
    @QueryString() query: Query,
    @WithShape() shape: Shape,
    @Headers('If-None-Match') ifNoneMatch?: string,
  ): Promise<JsonText | JsonStream | NotModified> {
    const { typeId, entryId } = await this.byValue.find(caller, name, field, value, readLocale(query));
    return this.responses.entry(caller, { id: typeId }, entryId, { query, shape, ifNoneMatch });
  }

  @Post()
  @ApiOperation({
    summary: 'Create an entry',
    description: 'Emits `entry.created`, and also `entry.published` when the entry is published.',
  })
  @RequiresKey('content', 'draft')
  @Parameters(incompleteParameter, writeLocaleParameter, shapeParameter)
  @DataResponse(CreatedEntryDto, 201)
  @Tagged(201)
  @ProblemResponses('limit_reached')
  async create(
    @WithCaller() caller: Caller,
    @TypeParam() type: IdOrSlug,
    @JsonBodyWithValues(CreateEntryDto) body: CheckedBody<CreateEntryDto>,
    @QueryString() query: Query,
    @WithShape() shape: Shape,
  ): Promise<JsonText> {
    const [isIncomplete, locale] = [readFlag(query, 'incomplete') ?? false, readWriteLocale(query)];
    const entry = await this.creation.run(caller, type, body, { isIncomplete, locale });
    return this.responses.created(caller, entry, { shape, locale });
  }

  @Patch(':entry_id')
  @ApiOperation({
    summary: 'Update an entry',
    description:
      'Fields that are not sent keep their values. Emits `entry.updated`, and also `entry.published` when ' +
      '`published` is sent, or `entry.unpublished` when a published entry becomes a draft.',
  })
  @IfMatch
  @RequiresKey('content', 'draft')
  @Parameters(writeLocaleParameter, shapeParameter)
  @DataResponse(UpdatedEntryDto)
  @Tagged(200)
  @ProblemResponses('precondition_failed')
  async update(
    @WithCaller() caller: Caller,
    @TypeParam() type: IdOrSlug,
    @EntryIdParam() entryId: string,
    @JsonBodyWithValues(UpdateEntryDto) body: CheckedBody<UpdateEntryDto>,
    @QueryString() query: Query,
    @WithShape() shape: Shape,
    @Headers('If-Match') ifMatch?: string,
  ): Promise<JsonText> {
    const locale = readWriteLocale(query);
    const entry = await this.updates.run(caller, type, entryId, body, readIfMatch(ifMatch), { locale });
    return this.responses.updated(caller, entry, { shape, locale });
  }

  @Delete(':entry_id')
  @ApiOperation({
    summary: 'Delete an entry',
    description:
      'Permanently deletes the entry. This cannot be undone. Emits `entry.deleted`. 409 if entries refer to it in a field whose `on_delete` is ' +
      '`refuse`. References in fields with `clear` are removed in the same commit, from at most 1,000 entries, each of which emits `entry.updated`.',
  })
  @IfMatch
  @RequiresKey('content', 'draft')
  @MessageResponse()
  @ProblemResponses('precondition_failed', 'conflict')
  async delete(
    @WithCaller() caller: Caller,
    @TypeParam() type: IdOrSlug,
    @EntryIdParam() entryId: string,
    @Headers('If-Match') ifMatch?: string,
  ): Promise<Message> {
    await this.deletion.run(caller, type, entryId, readIfMatch(ifMatch));
    return { message: 'The entry was deleted.' };
  }
}
