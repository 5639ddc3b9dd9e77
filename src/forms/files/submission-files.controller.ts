import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { RequiresKey, WithCaller } from '../../access/access.js';
import { ByteBudget } from '../../admission/byte-budget.js';
import { ProblemResponses } from '../../errors/problem-responses.js';
import type { Caller } from '../../http/caller.js';
import { IdParam } from '../../ids/id-param.js';
import { sendFile } from '../../media/files/file-response.js';
import { FormIdParam } from '../form-id-param.js';
import { SubmissionFiles } from './submission-files.js';

const FILE = { '*/*': { schema: { type: 'string' as const, format: 'binary' } } };

@ApiTags('Submissions')
@Controller('v1/forms/:tenant_id/:form_id/submissions/:submission_id/files')
export class SubmissionFilesController {
  constructor(
    private readonly budget: ByteBudget,
    private readonly files: SubmissionFiles,
  ) {}

  @Get(':file_id')
  @ApiOperation({
    summary: 'Download a file of a submission',
    description:
      'Returns the file as an attachment with its name, under a policy that lets a browser run nothing in it. The full view of a submission ' +
      'lists its `files`. Supports `Range`, `If-Range` and `If-None-Match`.',
  })
  @RequiresKey('forms', 'read')
  @ApiHeader({
    name: 'Range',
    required: false,
    description: 'The requested part of the file, for example `bytes=0-1023`.',
  })
  @ApiOkResponse({ description: 'The file.', content: FILE })
  @ApiResponse({ status: 206, description: 'The part of the file that `Range` requests.', content: FILE })
  @ApiResponse({ status: 304, description: 'The client already has the file.' })
  @ApiResponse({ status: 416, description: 'The file does not have the requested part.' })
  @ProblemResponses('not_found', 'insufficient_storage')
  async get(
    @WithCaller() caller: Caller,
    @FormIdParam() formId: string,
    @IdParam('submission_id', 'sub', 'submission') submissionId: string,
    @IdParam('file_id', 'fil', 'file') fileId: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const file = await this.files.get(caller, formId, submissionId, fileId);
    await sendFile(request, response, file, (bytes) => this.budget.reserve(caller.share, bytes));
  }
}
