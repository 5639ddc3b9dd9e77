import { Controller, Get, Param, Query as QueryString, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public, TenantParam } from '../../access/access.js';
import { clientAddress } from '../../http/client-address.js';
import { ByteBudget } from '../../admission/byte-budget.js';
import { publicKey } from '../../admission/public-key.js';
import { ProblemResponses } from '../../errors/problem-responses.js';
import type { Query } from '../../http/query.js';
import { IgnoresOtherParameters, Parameters } from '../../http/parameters.js';
import { sendFile } from './file-response.js';
import { MediaFilesService } from './media-files.service.js';
import { signatureParameter, variantParameters } from '../media.parameters.js';
import { readVariantQuery } from '../variants/variant.js';

/** Serves the files to everyone who has the URL. */
@ApiTags('Media')
@Controller('media/:tenant_id')
export class MediaFilesController {
  constructor(
    private readonly budget: ByteBudget,
    private readonly files: MediaFilesService,
  ) {}

  @Get(':file')
  @IgnoresOtherParameters()
  @ApiOperation({
    summary: 'Get a file',
    description:
      'Returns the file at the `url` of a media file. The file never changes, so caches can keep it ' +
      'permanently. Supports `Range`, `If-Range` and `If-None-Match`. The query scales and converts images, except SVG and HEIC. ' +
      'Such a variant is upright and has no metadata; the file itself has what was uploaded. Other parameters, which shared links get ' +
      '(`utm_source`), are ignored. ' +
      'SVG, HTML and all other types that could run in a browser are sent as a sandboxed attachment.',
  })
  @Public()
  @TenantParam()
  @ApiParam({
    name: 'file',
    description: 'The ID of the media file with its extension, for example `med_….jpg`.',
    schema: { type: 'string' },
  })
  @ApiHeader({
    name: 'Range',
    required: false,
    description: 'The requested part of the file, for example `bytes=0-1023`.',
  })
  @Parameters(...variantParameters, signatureParameter)
  @ApiOkResponse({ description: 'The file.', content: { '*/*': { schema: { type: 'string', format: 'binary' } } } })
  @ApiResponse({ status: 206, description: 'The part of the file that `Range` requests.' })
  @ApiResponse({ status: 304, description: 'The client already has the file.' })
  @ApiResponse({ status: 416, description: 'The file does not have the requested part.' })
  @ProblemResponses('forbidden', 'not_found', 'rate_limited', 'unavailable', 'insufficient_storage')
  async get(
    @Param('tenant_id') tenantId: string,
    @Param('file') file: string,
    @QueryString() query: Query,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const media = await this.files.find(tenantId, file);
    const { s: signature = '' } = query;
    const address = clientAddress(request);
    const visitor = { address, signature: String(signature) };
    const served = this.files.serve(tenantId, media, readVariantQuery(query), visitor);
    await sendFile(request, response, served, (bytes) => this.budget.reserve(publicKey(tenantId, address), bytes));
  }
}
