import { Controller, Get, Param, Post, Query as QueryString, Req } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Public, RequiresKey, TenantParam, WithCaller } from '../access/access.js';
import type { Caller } from '../http/caller.js';
import { LimitedByAddress } from '../access/rate-limits.js';
import { ProblemResponses } from '../errors/problem-responses.js';
import { DataResponse } from '../http/responses.js';
import type { Checked } from '../http/dto.pipe.js';
import { JsonBodyWithValues } from '../http/json-body.decorator.js';
import { JsonText } from '../http/http-adapter.js';
import type { JsonStream } from '../http/json-stream.js';
import type { Query } from '../http/query.js';
import { IdParam } from '../ids/id-param.js';
import { ListResponse } from '../lists/page.dto.js';
import { pageParameters, readPage } from '../lists/page.js';
import { type Parameter, Parameters } from '../http/parameters.js';
import { listResponse } from '../lists/streamed-list.js';
import { SubmissionListService } from './submission-list.service.js';
import { presentSubmission, type SubmissionRow } from './submission-presenter.js';
import { readSort } from './submission-sort.js';
import { CreateSubmissionDto, SubmissionDto } from './submissions.dto.js';
import { SubmissionsService } from './submissions.service.js';

const MAX_BYTES = 256 * 1024;

const sortParameter: Parameter = {
  name: 'sort',
  schema: { type: 'string', default: '-created_at' },
  description:
    '`created_at`, `id` or the name of a field. A leading `-` sorts in descending order. Submissions without ' +
    'a value come last.',
};

@ApiTags('Submissions')
@Controller('v1/forms/:tenant_id/:form_id/submissions')
export class SubmissionsController {
  constructor(
    private readonly submissions: SubmissionsService,
    private readonly lists: SubmissionListService,
  ) {}

  @Post()
  @ApiOperation({
    summary: 'Submit a form',
    description:
      'Submits a form. No API key is required. Pages of any origin can submit unless the tenant restricts the ' +
      'origins. Pages of other origins then receive 403. A client address can send at most 10 requests per ' +
      'minute to all forms together. Emits `form.submitted`.',
  })
  @Public()
  @LimitedByAddress({ name: 'submit', limit: 10 })
  @TenantParam()
  @ApiParam({
    name: 'form_id',
    description: 'The ID or the slug of the form.',
    schema: { type: 'string', example: 'contact' },
  })
  @DataResponse(SubmissionDto, 201)
  @ProblemResponses('forbidden', 'not_found', 'rate_limited')
  async submit(
    @Param('tenant_id') tenantId: string,
    @Param('form_id') idOrSlug: string,
    @Req() { headers }: Request,
    @JsonBodyWithValues(CreateSubmissionDto, MAX_BYTES) body: Checked<CreateSubmissionDto>,
  ): Promise<JsonText> {
    return new JsonText(`{"data":${await this.submissions.create(tenantId, idOrSlug, headers.origin, body)}}`);
  }

  @Get()
  @ApiOperation({
    summary: 'List submissions',
    description: 'Lists the submissions of a form. Without `sort`, the newest submission comes first.',
  })
  @RequiresKey('forms', 'read')
  @Parameters(...pageParameters, sortParameter)
  @ListResponse(SubmissionDto)
  @ProblemResponses('unknown_field')
  async list(
    @WithCaller() caller: Caller,
    @IdParam('form_id', 'frm', 'form', 'This endpoint takes the ID of the form, not its slug.') formId: string,
    @QueryString() query: Query,
  ): Promise<JsonText | JsonStream> {
    const { rows, meta, large } = await this.lists.list(caller, formId, readSort(query), readPage(query));
    const present = (row: SubmissionRow) => presentSubmission(formId, row);
    const records = rows.map((row) => (row.fields === null ? row : present(row)));
    return listResponse({ records, meta, large, present });
  }
}
