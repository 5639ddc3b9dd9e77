import { Controller, Delete, Get, Patch, Post, Query as QueryString } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequiresKey, WithCaller } from '../access/access.js';
import { writtenAnswer } from '../access/may-read.js';
import type { Caller } from '../http/caller.js';
import { ProblemResponses } from '../errors/problem-responses.js';
import { JsonText } from '../http/http-adapter.js';
import { formatId } from '../ids/type-id.js';
import { Problem } from '../errors/problem.js';
import { DataResponse, type Message, MessageResponse, WrittenResponse } from '../http/responses/responses.js';
import { JsonBody } from '../http/bodies/json-body.decorator.js';
import type { Query } from '../http/query.js';
import { IdParam } from '../ids/id-param.js';
import { ListResponse } from '../lists/page.dto.js';
import { type ListMeta, pageParameters, readPage } from '../lists/page.js';
import { Parameters } from '../http/parameters.js';
import { MediaDto, MediaUseDto, UpdateMediaDto, VariantUrlDto } from './media.dto.js';
import { readMediaFilters } from './lists/media-filters.js';
import { MediaListsService } from './lists/media-lists.service.js';
import { deleteParameters, mediaListParameters, variantParameters } from './media.parameters.js';
import { MediaPresenter, presentUse } from './media-presenter.js';
import { MediaService } from './media.service.js';
import { type UploadBody, UploadBodyParam } from './uploads/upload-body.js';
import { UploadsService } from './uploads/uploads.service.js';
import { readVariantQuery } from './variants/variant.js';
import { VariantUrlsService } from './variants/variant-urls.service.js';

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
  @ApiOperation({ summary: 'List media files', description: 'Lists the media files of the tenant, newest first.' })
  @RequiresKey('media', 'read')
  @Parameters(...pageParameters, ...mediaListParameters)
  @ListResponse(MediaDto)
  async list(@WithCaller() caller: Caller, @QueryString() query: Query): Promise<{ data: MediaDto[]; meta: ListMeta }> {
    const { rows, meta } = await this.lists.list(caller, readMediaFilters(query), readPage(query));
    return { data: rows.map((row) => this.presenter.present(caller.tenantId, row)), meta };
  }

  @Get(':media_id')
  @ApiOperation({
    summary: 'Get a media file',
    description: 'Returns the properties of the file. The file itself is at its `url`.',
  })
  @RequiresKey('media', 'read')
  @DataResponse(MediaDto)
  async get(
    @WithCaller() caller: Caller,
    @IdParam('media_id', 'med', 'media file') mediaId: string,
  ): Promise<{ data: MediaDto }> {
    return { data: this.presenter.present(caller.tenantId, await this.media.get(caller, mediaId)) };
  }

  @Get(':media_id/usage')
  @ApiOperation({
    summary: 'List the uses of a media file',
    description:
      'Lists the entries of all content types that use the file, the newest one first. An entry that does so in several fields is listed for ' +
      'each of them. A key that cannot read drafts sees published entries only.',
  })
  @RequiresKey('media', 'read')
  @Parameters(...pageParameters)
  @ListResponse(MediaUseDto)
  async listMediaUses(
    @WithCaller() caller: Caller,
    @IdParam('media_id', 'med', 'media file') mediaId: string,
    @QueryString() query: Query,
  ): Promise<{ data: MediaUseDto[]; meta: ListMeta }> {
    const { rows, meta } = await this.media.uses(caller, mediaId, readPage(query));
    return { data: rows.map(presentUse), meta };
  }

  @Get(':media_id/variant-url')
  @ApiOperation({
    summary: 'Get the URL of a variant',
    description:
      'Returns the signed URL of an image variant, for tenants that require signatures ' +
      '(`media: {"signed_variants": true}`). The URL also works without that setting. Without a query, the response ' +
      'contains the `url` of the file.',
  })
  @RequiresKey('media', 'read')
  @Parameters(...variantParameters)
  @DataResponse(VariantUrlDto)
  async getMediaVariantUrl(
    @WithCaller() caller: Caller,
    @IdParam('media_id', 'med', 'media file') mediaId: string,
    @QueryString() query: Query,
  ): Promise<{ data: VariantUrlDto }> {
    return { data: { url: await this.variantUrls.urlOf(caller, mediaId, readVariantQuery(query)) } };
  }

  @Post()
  @ApiOperation({
    summary: 'Upload a media file',
    description:
      'The type is read from the bytes of the file. The file is stored as it was sent, with its metadata, unless the tenant is configured with ' +
      '`media: {"strip_metadata": true}`: then images are stored upright and without metadata. The operator configures the allowed types and the maximum ' +
      'file size (25 MiB by default). To use the file in an entry, send its `url` in a media field. You can ' +
      'also send its `id`, which the service replaces with `url` and `alt`. A JSON body names the file by its `url`: the service fetches it, with ' +
      'at most five redirects, and checks it as if it was sent. Emits `media.uploaded`.',
  })
  @RequiresKey('media', 'write', { refusesIdempotencyKey: 'An upload cannot have an Idempotency-Key.' })
  @DataResponse(MediaDto, 201)
  @ProblemResponses('limit_reached')
  async upload(@WithCaller() caller: Caller, @UploadBodyParam() body: UploadBody): Promise<{ data: MediaDto }> {
    return { data: this.presenter.present(caller.tenantId, await this.uploads.upload(caller, body)) };
  }

  @Patch(':media_id')
  @ApiOperation({
    summary: 'Update a media file',
    description: 'Entries that use the file keep their own alternative text.',
  })
  @RequiresKey('media', 'write')
  @WrittenResponse(MediaDto)
  async update(
    @WithCaller() caller: Caller,
    @IdParam('media_id', 'med', 'media file') mediaId: string,
    @JsonBody(UpdateMediaDto) body: UpdateMediaDto,
  ): Promise<JsonText> {
    const row = await this.media.update(caller, mediaId, body);
    const written = { area: 'media', id: formatId('med', mediaId) } as const;
    return writtenAnswer(caller, written, () => JSON.stringify(this.presenter.present(caller.tenantId, row)));
  }

  @Delete(':media_id')
  @ApiOperation({
    summary: 'Delete a media file',
    description:
      'Permanently deletes the file. The response is 409 while entries use the file: `errors` lists at most ten ' +
      'uses, and each `path` consists of content type, entry and field. Emits `media.deleted`.',
  })
  @RequiresKey('media', 'write')
  @Parameters(...deleteParameters)
  @MessageResponse()
  @ProblemResponses('conflict')
  async delete(
    @WithCaller() caller: Caller,
    @IdParam('media_id', 'med', 'media file') mediaId: string,
    @QueryString() query: Query,
  ): Promise<Message> {
    await this.media.delete(caller, mediaId, readForce(query));
    return { message: 'The media file was deleted.' };
  }
}

function readForce({ force = 'false' }: Query): boolean {
  if (force !== 'true' && force !== 'false') throw Problem.parameter('force', 'force must be true or false.');
  return force === 'true';
}
