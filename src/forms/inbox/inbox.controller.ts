import { Controller, Get, Patch, Query as QueryString } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { RequiresKey, WithCaller } from '../../access/access.js';
import { ProblemResponses } from '../../errors/problem-responses.js';
import type { Caller } from '../../http/caller.js';
import { JsonText } from '../../http/http-adapter.js';
import type { JsonStream } from '../../http/responses/json-stream.js';
import { JsonBody } from '../../http/bodies/json-body.decorator.js';
import { Parameters } from '../../http/parameters.js';
import type { Query } from '../../http/query.js';
import { DataResponse, WrittenResponse } from '../../http/responses/responses.js';
import { IdParam } from '../../ids/id-param.js';
import { FormIdParam } from '../form-id-param.js';
import { FullSubmissionDto, UpdateSubmissionDto } from './inbox.dto.js';
import { InboxService } from './inbox.service.js';
import { submissionAnswer } from './submission-answer.js';
import {
  readSubmissionExport,
  SubmissionExportService,
  submissionExportParameters,
} from './submission-export.service.js';

@ApiTags('Submissions')
@Controller('v1/forms/:tenant_id/:form_id/submissions')
export class InboxController {
  constructor(
    private readonly inbox: InboxService,
    private readonly exports: SubmissionExportService,
  ) {}

  @Get('export')
  @ApiOperation({
    summary: 'Export submissions',
    description:
      'Streams everything that the list with the same parameters shows, without a limit. An export that could not be completed resets the ' +
      'connection. In CSV, a text that a spreadsheet would run as a formula has an apostrophe before it.',
  })
  @RequiresKey('forms', 'read')
  @Parameters(...submissionExportParameters)
  @ApiProduces('application/x-ndjson', 'text/csv')
  @ApiOkResponse({
    description: 'The submissions, one on each line.',
    schema: { type: 'string', description: 'Lines of text in UTF-8.', example: '{"done":true,"count":0}\n' },
  })
  @ProblemResponses('unknown_field')
  exportSubmissions(
    @WithCaller() caller: Caller,
    @FormIdParam() formId: string,
    @QueryString() query: Query,
  ): JsonStream {
    return this.exports.run(caller, formId, readSubmissionExport(query));
  }

  @Get(':submission_id')
  @ApiOperation({
    summary: 'Get a submission',
    description: 'Returns the submission in the full view. No address of the visitor is stored.',
  })
  @RequiresKey('forms', 'read')
  @DataResponse(FullSubmissionDto)
  async getSubmission(
    @WithCaller() caller: Caller,
    @FormIdParam() formId: string,
    @IdParam('submission_id', 'sub', 'submission') submissionId: string,
  ): Promise<JsonText> {
    return new JsonText(`{"data":${await this.inbox.get(caller, formId, submissionId)}}`);
  }

  @Patch(':submission_id')
  @ApiOperation({
    summary: 'Update a submission',
    description: 'Changes the state or the note. Properties that are not sent keep their values. Emits no event.',
  })
  @RequiresKey('forms', 'write')
  @WrittenResponse(FullSubmissionDto)
  async updateSubmission(
    @WithCaller() caller: Caller,
    @FormIdParam() formId: string,
    @IdParam('submission_id', 'sub', 'submission') submissionId: string,
    @JsonBody(UpdateSubmissionDto) changes: UpdateSubmissionDto,
  ): Promise<JsonText> {
    return submissionAnswer(caller, submissionId, await this.inbox.update(caller, formId, submissionId, changes));
  }
}
