import { Controller, Delete, Get, Post, Put, Query as QueryString } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequiresKey, WithCaller } from '../access/access.js';
import type { Caller } from '../http/caller.js';
import { ProblemResponses } from '../errors/problem-responses.js';
import { describeTypes } from '../fields/openapi.js';
import { DataResponse, type Message, MessageResponse } from '../http/responses.js';
import type { Checked } from '../http/dto.pipe.js';
import { JsonBodyWithValues } from '../http/json-body.decorator.js';
import type { JsonText } from '../http/http-adapter.js';
import type { JsonStream } from '../http/json-stream.js';
import type { Query } from '../http/query.js';
import type { IdOrSlug } from '../ids/id-or-slug.js';
import { ListResponse } from '../lists/page.dto.js';
import { pageParameters, readPage } from '../lists/page.js';
import { Parameters } from '../http/parameters.js';
import { listResponse } from '../lists/streamed-list.js';
import { contentTypeText, presentContentType, presentUpdatedContentType } from './content-type-presenter.js';
import {
  ContentTypeDto,
  CreateContentTypeDto,
  UpdateContentTypeDto,
  UpdatedContentTypeDto,
} from './content-types.dto.js';
import { ContentTypesService } from './content-types.service.js';
import { TypeParam } from './type-param.js';

@ApiTags('Content types')
@Controller('v1/content/:tenant_id/types')
export class ContentTypesController {
  constructor(private readonly types: ContentTypesService) {}

  @Get()
  @ApiOperation({
    summary: 'List content types',
    description: 'Lists the content types of the tenant with their field definitions, newest first.',
  })
  @RequiresKey('content', 'read')
  @Parameters(...pageParameters)
  @ListResponse(ContentTypeDto)
  async list(@WithCaller() caller: Caller, @QueryString() query: Query): Promise<JsonText | JsonStream> {
    const { rows, meta, large } = await this.types.list(caller, readPage(query));
    const records = rows.map((row) => (row.fields === null ? row : contentTypeText(row)));
    return listResponse({ records, meta, large, present: contentTypeText });
  }

  @Get(':content_type_id')
  @ApiOperation({ summary: 'Get a content type', description: 'Returns the content type with its field definitions.' })
  @RequiresKey('content', 'read')
  @DataResponse(ContentTypeDto)
  async get(@WithCaller() caller: Caller, @TypeParam() type: IdOrSlug): Promise<{ data: ContentTypeDto }> {
    return { data: presentContentType(await this.types.get(caller, type)) };
  }

  @Post()
  @ApiOperation({
    summary: 'Create a content type',
    description: `Creates a content type, whose entries have values for its fields. ${describeTypes('content')}`,
  })
  @RequiresKey('content', 'write')
  @DataResponse(ContentTypeDto, 201)
  @ProblemResponses('conflict')
  async create(
    @WithCaller() caller: Caller,
    @JsonBodyWithValues(CreateContentTypeDto) body: Checked<CreateContentTypeDto>,
  ): Promise<{ data: ContentTypeDto }> {
    return { data: presentContentType(await this.types.create(caller, body)) };
  }

  @Put(':content_type_id')
  @ApiOperation({
    summary: 'Update a content type',
    description:
      'Properties that are not sent keep their values. `fields` replaces the whole list; *Create a content type* lists ' +
      'the types of fields. After a change of the slug, the old slug no longer leads to the content type.',
  })
  @RequiresKey('content', 'write')
  @DataResponse(UpdatedContentTypeDto)
  @ProblemResponses('conflict')
  async update(
    @WithCaller() caller: Caller,
    @TypeParam() type: IdOrSlug,
    @JsonBodyWithValues(UpdateContentTypeDto) body: Checked<UpdateContentTypeDto>,
  ): Promise<{ data: UpdatedContentTypeDto }> {
    return { data: presentUpdatedContentType(await this.types.update(caller, type, body)) };
  }

  @Delete(':content_type_id')
  @ApiOperation({
    summary: 'Delete a content type',
    description:
      'Permanently deletes the content type and all of its entries. This cannot be undone. Emits ' +
      '`entry.deleted` for each entry.',
  })
  @RequiresKey('content', 'write')
  @MessageResponse()
  async delete(@WithCaller() caller: Caller, @TypeParam() type: IdOrSlug): Promise<Message> {
    await this.types.delete(caller, type);
    return { message: 'The content type and its entries were deleted.' };
  }
}
