import { Controller, Delete, Get, Patch, Post, Query as QueryString, Req } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { RequiresKey, WithCaller } from '../access/access.js';
import type { Caller } from '../access/caller.js';
import { ProblemResponses } from '../errors/problem-responses.js';
import { Problem } from '../errors/problem.js';
import { DataResponse, type Message, MessageResponse } from '../http/answers.js';
import { JsonBody } from '../http/checked-body.js';
import type { Query } from '../http/query.js';
import { IdParam } from '../ids/id-param.js';
import type { ListMeta } from '../lists/newest-first.js';
import { ListResponse } from '../lists/page.dto.js';
import { pageParameters } from '../lists/page.js';
import { Parameters } from '../lists/parameters.js';
import { MediaDto, UpdateMediaDto, uploadSchema, VariantUrlDto } from './media.dto.js';
import { MediaListsService } from './media-lists.service.js';
import { deleteParameters, mediaListParameters, variantParameters } from './media.parameters.js';
import { MediaPresenter } from './media-presenter.js';
import { MediaService } from './media.service.js';
import { UploadsService } from './uploads.service.js';
import { VariantUrlsService } from './variant-urls.service.js';

@ApiTags('Media')
@Controller('v1/media/:tenant_id')
export class MediaController {
  constructor(
    private readonly media: MediaService,
    private readonly lists: MediaListsService,
    private readonly uploads: UploadsService,
    private readonly presenter: MediaPresenter,
    private readonly variantUrls: VariantUrlsService,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List media', description: 'Newest first.' })
  @RequiresKey('media', 'read')
  @Parameters(...pageParameters, ...mediaListParameters)
  @ListResponse(MediaDto)
  async list(@WithCaller() caller: Caller, @QueryString() query: Query): Promise<{ data: MediaDto[]; meta: ListMeta }> {
    const { rows, meta } = await this.lists.list(caller, query);
    return { data: rows.map((row) => this.presenter.present(caller.tenantId, row)), meta };
  }

  @Get(':media_id')
  @ApiOperation({ summary: 'Get media' })
  @RequiresKey('media', 'read')
  @DataResponse(MediaDto)
  async get(
    @WithCaller() caller: Caller,
    @IdParam('media_id', 'med', 'media') mediaId: string,
  ): Promise<{ data: MediaDto }> {
    return { data: this.presenter.present(caller.tenantId, await this.media.get(caller, mediaId)) };
  }

  @Get(':media_id/variant-url')
  @ApiOperation({
    summary: 'Get the URL of a variant',
    description:
      'Signs the query of a variant, for tenants that demand signatures (`media: {"signed_variants": true}`); without that setting the ' +
      'URL works too. Without a query, or when the image itself is what the query asks for, the answer is the `url` of the file.',
  })
  @RequiresKey('media', 'read')
  @Parameters(...variantParameters)
  @DataResponse(VariantUrlDto)
  async variantUrl(
    @WithCaller() caller: Caller,
    @IdParam('media_id', 'med', 'media') mediaId: string,
    @QueryString() query: Query,
  ): Promise<{ data: VariantUrlDto }> {
    return { data: { url: await this.variantUrls.urlOf(caller, mediaId, query) } };
  }

  @Post()
  @ApiOperation({
    summary: 'Upload media',
    description:
      'The type is read from the bytes; what is allowed and how large a file may be is up to the operator (25 MiB by default). An entry ' +
      'then names the file in a media field by its `url`, or by `id`, which is replaced by `url` and `alt`. Emits `media.uploaded`.',
  })
  @RequiresKey('media', 'write')
  @ApiConsumes('multipart/form-data')
  @ApiBody({ required: true, schema: uploadSchema })
  @DataResponse(MediaDto, 201)
  @ProblemResponses(
    'malformed_multipart',
    'payload_too_large',
    'unsupported_media_type',
    'validation_failed',
    'insufficient_storage',
  )
  async upload(@WithCaller() caller: Caller, @Req() request: Request): Promise<{ data: MediaDto }> {
    return { data: this.presenter.present(caller.tenantId, await this.uploads.upload(caller, request)) };
  }

  @Patch(':media_id')
  @ApiOperation({
    summary: 'Update media',
    description: 'Entries that carry the file keep the alternative text that they have.',
  })
  @RequiresKey('media', 'write')
  @DataResponse(MediaDto)
  async update(
    @WithCaller() caller: Caller,
    @IdParam('media_id', 'med', 'media') mediaId: string,
    @JsonBody(UpdateMediaDto) body: UpdateMediaDto,
  ): Promise<{ data: MediaDto }> {
    return { data: this.presenter.present(caller.tenantId, await this.media.update(caller, mediaId, body)) };
  }

  @Delete(':media_id')
  @ApiOperation({
    summary: 'Delete media',
    description:
      'Permanent. 409 while entries use the file: `errors` lists up to ten of them, each `path` being content type, entry and field. ' +
      'Emits `media.deleted`.',
  })
  @RequiresKey('media', 'write')
  @Parameters(...deleteParameters)
  @MessageResponse()
  @ProblemResponses('conflict')
  async delete(
    @WithCaller() caller: Caller,
    @IdParam('media_id', 'med', 'media') mediaId: string,
    @QueryString() query: Query,
  ): Promise<Message> {
    await this.media.delete(caller, mediaId, readForce(query));
    return { message: 'The media was deleted.' };
  }
}

function readForce({ force = 'false' }: Query): boolean {
  if (force !== 'true' && force !== 'false') throw Problem.parameter('force', 'force must be true or false.');
  return force === 'true';
}
