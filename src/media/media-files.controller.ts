import { Controller, Get, Param, Query as QueryString, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public, TenantParam } from '../access/access.js';
import { clientAddress } from '../access/client-address.js';
import { ByteBudget, publicKey } from '../admission/byte-budget.js';
import { ProblemResponses } from '../errors/problem-responses.js';
import type { Query } from '../http/query.js';
import { Parameters } from '../lists/parameters.js';
import { answerFile } from './file-answer.js';
import { MediaFilesService } from './media-files.service.js';
import { signatureParameter, variantParameters } from './media.parameters.js';

/** The files themselves, for everybody who has the url. */
@ApiTags('Media')
@Controller('media/:tenant_id')
export class MediaFilesController {
  constructor(
    private readonly budget: ByteBudget,
    private readonly files: MediaFilesService,
  ) {}

  @Get(':file')
  @ApiOperation({
    summary: 'Get a file',
    description:
      'The `url` of media. It never changes, so caches may keep it for good. Takes `Range`, `If-Range` and `If-None-Match`. Images are ' +
      'scaled and converted by the query; SVG, HTML and whatever else could run in a browser comes as a sandboxed attachment.',
  })
  @Public()
  @TenantParam()
  @ApiParam({ name: 'file', schema: { type: 'string', example: 'med_01k9mzh6xze3n8mqsd5wkxp2zt.jpg' } })
  @ApiHeader({ name: 'Range', required: false, description: 'The part that is wanted: `bytes=0-1023`.' })
  @Parameters(...variantParameters, signatureParameter)
  @ApiOkResponse({ description: 'The file.', content: { '*/*': { schema: { type: 'string', format: 'binary' } } } })
  @ApiResponse({ status: 206, description: 'The part that `Range` asks for.' })
  @ApiResponse({ status: 304, description: 'The client has it already.' })
  @ApiResponse({ status: 416, description: 'The file has no such part.' })
  @ProblemResponses('forbidden', 'not_found', 'rate_limited', 'unavailable', 'insufficient_storage')
  async get(
    @Param('tenant_id') tenantId: string,
    @Param('file') file: string,
    @QueryString() query: Query,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const found = await this.files.find(tenantId, file, query, clientAddress(request));
    await answerFile(request, response, found, (bytes) => this.budget.reserve(publicKey(tenantId), bytes));
  }
}
