import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { RequiresKey, WithCaller } from '../access/access.js';
import { TypeParam } from '../content/type-param.js';
import { BEYOND_JSON_SCHEMA } from '../fields/json-schemas/beyond-json-schema.js';
import type { Caller } from '../http/caller.js';
import { IfNoneMatch } from '../http/responses/etag-headers.js';
import type { IdOrSlug } from '../ids/id-or-slug.js';
import { ETAG_HEADER, REVALIDATED } from './contract-headers.js';
import { TypeSchemas } from './type-schemas.js';

@ApiTags('Contract')
@Controller('v1/content/:tenant_id/types/:content_type_id/schema.json')
export class TypeSchemasController {
  constructor(private readonly schemas: TypeSchemas) {}

  @Get()
  @ApiOperation({
    summary: 'Get the JSON Schema of a content type',
    description:
      'Returns the JSON Schema (2020-12) of `fields` of a new entry: what _Create an entry_ accepts. What the service refuses besides:\n\n' +
      `${BEYOND_JSON_SCHEMA.map((one) => `- ${one}`).join('\n')}\n\n` +
      'The response is 304 if `If-None-Match` names its `ETag`, which changes only with the fields and the name of the content type.',
  })
  @IfNoneMatch
  @RequiresKey('content', 'read')
  @ApiOkResponse({
    description: 'The JSON Schema.',
    content: { 'application/schema+json': { schema: { type: 'object', additionalProperties: true } } },
    headers: ETAG_HEADER,
  })
  @ApiResponse({ status: 304, description: 'The client already has this schema.' })
  async getContentTypeSchema(
    @WithCaller() caller: Caller,
    @TypeParam() type: IdOrSlug,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const file = await this.schemas.fileFor(caller, type);
    await file.send(request, response, REVALIDATED);
  }
}
