import { Controller, Delete, Get, Headers, Post, Put, Query as QueryString } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { RequiresKey, WithCaller } from '../access/access.js';
import type { Caller } from '../http/caller.js';
import { ProblemResponses } from '../errors/problem-responses.js';
import { describeTypes } from '../fields/definitions/openapi.js';
import { DataResponse, type Message, MessageResponse, OneOfResponse } from '../http/responses/responses.js';
import type { CheckedBody } from '../http/bodies/dto.pipe.js';
import { JsonBodyWithValues } from '../http/bodies/json-body.decorator.js';
import { JsonText, NotModified } from '../http/http-adapter.js';
import { hasRoute } from '../http/has-route.js';
import type { JsonStream } from '../http/responses/json-stream.js';
import type { Query } from '../http/query.js';
import { formatId } from '../ids/type-id.js';
import type { IdOrSlug } from '../ids/id-or-slug.js';
import { ListResponse } from '../lists/page.dto.js';
import { pageParameters, readPage } from '../lists/page.js';
import { Parameters, readFlag } from '../http/parameters.js';
import { listResponse } from '../lists/streamed-list.js';
import { presentChange } from './schema-changes/online/schema-changes.controller.js';
import { SchemaChangeDto } from './schema-changes/online/schema-changes.dto.js';
import {
  contentTypeText,
  presentContentType,
  presentPlan,
  presentUpdatedContentType,
} from './content-type-presenter.js';
import type { ContentType } from './content-type.entity.js';
import {
  ContentTypeDto,
  CreateContentTypeDto,
  dryRunParameter,
  SchemaPlanDto,
  UpdateContentTypeDto,
  UpdatedContentTypeDto,
} from './content-types.dto.js';
import { readIfMatch, versionEtag } from '../http/responses/etag.js';
import { IfMatch, IfNoneMatch, privateHeaders, Tagged } from '../http/responses/etag-headers.js';
import { ContentTypesService } from './content-types.service.js';
import { TypeParam } from './type-param.js';

/** What the documents of headers call the resource. */
const CONTENT_TYPE = 'content type';

@ApiTags('Content types')
@Controller('v1/content/:tenant_id/types')
export class ContentTypesController {
  constructor(private readonly types: ContentTypesService) {}

  @Get()
  @ApiOperation({
    summary: 'List content types',
    description: 'Lists the content types of the tenant with their field definitions, newest first.',
  })
  @RequiresKey('content', 'read', { keepsToTypes: true })
  @Parameters(...pageParameters)
  @ListResponse(ContentTypeDto)
  async list(@WithCaller() caller: Caller, @QueryString() query: Query): Promise<JsonText | JsonStream> {
    const { rows, meta, large } = await this.types.list(caller, readPage(query));
    const records = rows.map((row) => (row.fields === null ? row : contentTypeText(row)));
    return listResponse({ records, meta, large, present: contentTypeText });
  }

  @Get(':content_type_id')
  @ApiOperation({
    summary: 'Get a content type',
    description:
      'Returns the content type with its field definitions. The response is 304 when `If-None-Match` names the current version.',
  })
  @IfNoneMatch
  @RequiresKey('content', 'read')
  @DataResponse(ContentTypeDto)
  @Tagged(200, CONTENT_TYPE)
  @ApiResponse({ status: 304, description: 'The client already has this version.' })
  async get(
    @WithCaller() caller: Caller,
    @TypeParam() type: IdOrSlug,
    @Headers('If-None-Match') ifNoneMatch?: string,
  ): Promise<JsonText | NotModified> {
    const found = await this.types.get(caller, type);
    const headers = privateHeaders(versionEtag(found.revision));
    if (hasRoute(ifNoneMatch, headers.ETag)) return new NotModified(headers);
    return new JsonText(JSON.stringify({ data: presentContentType(found) }), headers);
  }

  @Post()
  @ApiOperation({
    summary: 'Create a content type',
    description: `Creates a content type, whose entries have values for its fields. ${describeTypes('content')}`,
  })
  @RequiresKey('content', 'write')
  @DataResponse(ContentTypeDto, 201)
  @Tagged(201, CONTENT_TYPE)
  @ProblemResponses('conflict', 'limit_reached')
  async create(
    @WithCaller() caller: Caller,
    @JsonBodyWithValues(CreateContentTypeDto) body: CheckedBody<CreateContentTypeDto>,
  ): Promise<JsonText> {
    const created = await this.types.create(caller, body);
    return tagged(created, presentContentType(created));
  }

  @Put(':content_type_id')
  @ApiOperation({
    summary: 'Update a content type',
    description:
      'Properties that are not sent keep their values. `fields` replaces the whole list; *Create a content type* lists ' +
      'the types of fields. After a change of the slug, the old slug no longer leads to the content type. With `dry_run=true`, ' +
      'nothing is changed, and the response is the plan of the change. What the plan calls `safe` succeeds when it is sent. ' +
      'A change of a type with more than 1,000 entries is carried out beside the requests that read and write them. The response waits for ' +
      'it, for ten minutes at most, or is 202 at once with `Prefer: respond-async` or an `Idempotency-Key`. The change is carried on if the client disconnects.',
  })
  @IfMatch
  @RequiresKey('content', 'write')
  @Parameters(dryRunParameter)
  @ApiHeader({
    name: 'Prefer',
    required: false,
    schema: { type: 'string' },
    description: '`respond-async`: a change of entries is answered with 202 and carried out afterwards.',
  })
  @OneOfResponse(UpdatedContentTypeDto, SchemaPlanDto)
  @DataResponse(SchemaChangeDto, 202)
  @ApiResponse({
    status: 202,
    headers: { Location: { description: 'The path of the change.', schema: { type: 'string' } } },
  })
  @Tagged(200, CONTENT_TYPE)
  @ProblemResponses('conflict', 'precondition_failed')
  async update(
    @WithCaller() caller: Caller,
    @TypeParam() type: IdOrSlug,
    @JsonBodyWithValues(UpdateContentTypeDto) body: CheckedBody<UpdateContentTypeDto>,
    @QueryString() query: Query,
    @Headers('If-Match') ifMatch?: string,
    @Headers('Prefer') prefer?: string,
  ): Promise<JsonText | { data: SchemaPlanDto }> {
    const precondition = readIfMatch(ifMatch);
    if (readFlag(query, 'dry_run'))
      return { data: presentPlan(caller, await this.types.plan(caller, type, body, precondition)) };
    const updated = await this.types.update(caller, type, body, precondition, prefersAsync(prefer));
    if ('type' in updated) return tagged(updated.type, presentUpdatedContentType(updated.type));
    const location = `/v1/content/${caller.tenantId}/changes/${formatId('chg', updated.change.id)}`;
    return new JsonText(`{"data":${presentChange(updated.change)}}`, { Location: location }, 202);
  }

  @Delete(':content_type_id')
  @ApiOperation({
    summary: 'Delete a content type',
    description:
      'Permanently deletes the content type and all of its entries. This cannot be undone. Emits ' +
      '`entry.deleted` for each entry. 409 if entries of other content types refer to its entries in a field whose `on_delete` is `refuse`, or ' +
      'more than 1,000 of them do in fields with `clear`.',
  })
  @IfMatch
  @RequiresKey('content', 'write')
  @MessageResponse()
  @ProblemResponses('conflict', 'precondition_failed')
  async delete(
    @WithCaller() caller: Caller,
    @TypeParam() type: IdOrSlug,
    @Headers('If-Match') ifMatch?: string,
  ): Promise<Message> {
    await this.types.delete(caller, type, readIfMatch(ifMatch));
    return { message: 'The content type and its entries were deleted.' };
  }
}

/** Whether the header `Prefer` (RFC 7240) has `respond-async`. */
function prefersAsync(prefer = ''): boolean {
  return prefer.split(',').some((one) => /^\s*respond-async\s*(;|$)/i.test(one));
}

function tagged(type: ContentType, data: object): JsonText {
  return new JsonText(JSON.stringify({ data }), { ETag: versionEtag(type.revision) });
}
