import { Controller, Get, HttpCode, Post, Query as QueryString, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { RequiresKey, WithCaller } from '../../access/access.js';
import { ProblemResponses } from '../../errors/problem-responses.js';
import type { Caller } from '../../http/caller.js';
import type { JsonStream } from '../../http/responses/json-stream.js';
import { Parameters } from '../../http/parameters.js';
import type { Query } from '../../http/query.js';
import type { IdOrSlug } from '../../ids/id-or-slug.js';
import { type Shape, WithShape } from '../reading/shape.js';
import { TypeParam } from '../type-param.js';
import { ExportService } from './export.service.js';
import { exportParameters, readExport } from './export-request.js';
import { ImportService } from './import.service.js';
import { importParameters } from './import-request.js';

const LINES = { type: 'string', description: 'Lines of text in UTF-8.' };

@ApiTags('Bulk')
@Controller('v1/content/:tenant_id/types/:content_type_id/entries')
export class ExchangeController {
  constructor(
    private readonly imports: ImportService,
    private readonly exports: ExportService,
  ) {}

  @Post('import')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Import entries',
    description:
      'Reads a stream of any length and commits its lines in batches. A line of `application/x-ndjson` (also `application/ndjson` and ' +
      '`application/jsonl`) is `{"fields": {…}, "status": "published"}`. The first line of `text/csv` has the names of fields, and `status`. A bad line is reported and skipped. The response ' +
      'is a stream of JSON lines: `{"line", "problem"}` for each bad line, `{"processed"}` at least every 5 seconds, and at the end ' +
      '`{"done": true, "created", "updated", "unchanged", "failed"}`. An import that could not continue ends with `"done": false` and a ' +
      '`problem`; what it counts is committed.',
  })
  @RequiresKey('content', 'draft', {
    refusesIdempotencyKey: 'An import cannot have an Idempotency-Key. With key, it can be run again.',
  })
  @Parameters(...importParameters)
  @ApiConsumes('application/x-ndjson', 'text/csv')
  @ApiBody({
    required: true,
    schema: { ...LINES, example: '{"fields":{"title":"How to brew coffee"},"status":"published"}\n' },
  })
  @ApiProduces('application/x-ndjson')
  @ApiOkResponse({
    description: 'The lines were read. Each line of the response is a JSON object.',
    schema: { ...LINES, example: '{"done":true,"created":1,"updated":0,"unchanged":0,"failed":0}\n' },
  })
  @ProblemResponses(
    'unknown_field',
    'malformed_csv',
    'malformed_json',
    'request_timeout',
    'unsupported_media_type',
    'validation_failed',
  )
  async importEntries(
    @WithCaller() caller: Caller,
    @TypeParam() type: IdOrSlug,
    @QueryString() query: Query,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.imports.run(caller, type, query, request, response);
  }

  @Get('export')
  @ApiOperation({
    summary: 'Export entries',
    description:
      'Streams everything that the list with the same `filter`, `where`, `search`, `sort` and `select` shows. An import reads what is ' +
      'exported. In CSV, a text that a spreadsheet would run as a formula has an apostrophe before it, which an import removes.',
  })
  @RequiresKey('content', 'read')
  @Parameters(...exportParameters)
  @ApiProduces('application/x-ndjson', 'text/csv')
  @ApiOkResponse({
    description: 'The entries, one on each line.',
    schema: {
      ...LINES,
      example:
        '{"id":"ent_01k9mzh6xze3n8mqsd5wkxp2zt","fields":{"title":"How to brew coffee"},"status":"draft",' +
        '"created_at":"2026-01-31T09:30:00.000Z","updated_at":"2026-01-31T09:30:00.000Z"}\n',
    },
  })
  @ProblemResponses('unknown_field')
  exportEntries(
    @WithCaller() caller: Caller,
    @TypeParam() type: IdOrSlug,
    @QueryString() query: Query,
    @WithShape() shape: Shape,
  ): JsonStream {
    return this.exports.run(caller, type, readExport(query, shape));
  }
}
