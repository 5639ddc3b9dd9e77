import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../access/access.js';
import { StaticFile } from '../http/responses/static-file.js';
import { ApiDocument } from '../openapi/api-document.js';
import { eventCatalogue } from '../openapi/event-catalogue.js';
import { EventTypesDto } from './events.dto.js';

/** The catalogue changes only with a new version of the service. */
const CACHED = 'public, max-age=300, stale-while-revalidate=300';

@ApiTags('Events')
@Controller('v1/event-types')
export class EventTypesController {
  private file?: StaticFile;

  constructor(private readonly document: ApiDocument) {}

  @Get()
  @ApiOperation({
    summary: 'List event types',
    description:
      'Lists the types of events with a JSON Schema (2020-12) and an example of the body that webhooks receive. The same schemas are under ' +
      '`webhooks` in the OpenAPI document.',
  })
  @Public()
  @ApiOkResponse({
    description: 'The event types.',
    type: EventTypesDto,
    headers: { ETag: { description: 'Send it as `If-None-Match`.', schema: { type: 'string' } } },
  })
  @ApiResponse({ status: 304, description: 'The client already has the list.' })
  async list(@Req() request: Request, @Res() response: Response): Promise<void> {
    this.file ??= new StaticFile('application/json; charset=utf-8', this.text());
    await this.file.send(request, response, CACHED);
  }

  private text(): string {
    return JSON.stringify({ data: eventCatalogue(this.document.get()) });
  }
}
