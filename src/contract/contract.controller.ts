import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { RequiresKey, WithCaller } from '../access/access.js';
import { ProblemResponses } from '../errors/problem-responses.js';
import type { Caller } from '../http/caller.js';
import { IfNoneMatch } from '../http/responses/etag-headers.js';
import { ApiDocument } from '../openapi/api-document.js';
import { ETAG_HEADER, REVALIDATED } from './contract-headers.js';
import { ContractFiles } from './contract-files.js';
import { openApiForm } from './openapi/contract-document.js';
import { TYPESCRIPT } from './typescript/typescript-file.js';

@ApiTags('Contract')
@Controller('v1/contract/:tenant_id')
export class ContractController {
  constructor(
    private readonly files: ContractFiles,
    private readonly document: ApiDocument,
  ) {}

  @Get('openapi.json')
  @ApiOperation({
    summary: 'Get the OpenAPI document of the tenant',
    description:
      'Returns the OpenAPI document of the service with the content types and forms of the tenant: their paths, their values, and what they are ' +
      'filtered and sorted by. Clients can be generated from it. A key that is limited to content types gets these alone. 403 ' +
      '(`limit_reached`) if the definitions take more than 4 MiB. The response is 304 if ' +
      '`If-None-Match` names its `ETag`, which changes only with the types and forms.',
  })
  @IfNoneMatch
  @RequiresKey('content', 'read', { isUnpublished: true, keepsToTypes: true })
  @ApiOkResponse({
    description: 'The document.',
    content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } },
    headers: ETAG_HEADER,
  })
  @ApiResponse({ status: 304, description: 'The client already has this document.' })
  @ProblemResponses('limit_reached')
  async getContract(@WithCaller() caller: Caller, @Req() request: Request, @Res() response: Response): Promise<void> {
    const form = openApiForm(this.document.get());
    const file = await this.files.fileFor(caller, form, request);
    await file.send(request, response, REVALIDATED);
  }

  @Get('types.ts')
  @ApiOperation({
    summary: 'Get the TypeScript of the tenant',
    description:
      'Returns the types of the content types and forms of the tenant for `@trivet/client`, as one file that imports nothing, in the order of the ' +
      'slugs. A key that is limited to content types gets these alone. 403 (`limit_reached`) as for *Get the OpenAPI document of the tenant*. ' +
      'It has the locales and the localized fields if the tenant has set its locales. ' +
      'The response is 304 if `If-None-Match` names its `ETag`, which changes only with the types, forms and locales.',
  })
  @IfNoneMatch
  @RequiresKey('content', 'read', { isUnpublished: true, keepsToTypes: true })
  @ApiOkResponse({
    description: 'The file.',
    content: { 'text/typescript': { schema: { type: 'string' } } },
    headers: { ETag: { description: 'Send it as `If-None-Match`.', schema: { type: 'string' } } },
  })
  @ApiResponse({ status: 304, description: 'The client already has this file.' })
  @ProblemResponses('limit_reached')
  async getContractTypes(
    @WithCaller() caller: Caller,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const file = await this.files.fileFor(caller, TYPESCRIPT, request);
    await file.send(request, response, REVALIDATED);
  }
}
