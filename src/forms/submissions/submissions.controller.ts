import { Controller, Delete, Get, HttpCode, Param, Post, Query as QueryString, Req, UseFilters } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Public, RequiresKey, TenantParam, WithCaller } from '../../access/access.js';
import { TakesIdempotencyKey } from '../../access/idempotency/idempotency-key.js';
import type { Caller } from '../../http/caller.js';
import { RateLimit } from '../../access/rate-limits.js';
import { ProblemResponses } from '../../errors/problem-responses.js';
import { Problem } from '../../errors/problem.js';
import { DataResponse, type Message, MessageResponse } from '../../http/responses/responses.js';
import { JsonBody } from '../../http/bodies/json-body.decorator.js';
import { JsonText } from '../../http/http-adapter.js';
import type { JsonStream } from '../../http/responses/json-stream.js';
import type { Query } from '../../http/query.js';
import { IdParam } from '../../ids/id-param.js';
import { parseId } from '../../ids/type-id.js';
import { ListResponse } from '../../lists/page.dto.js';
import { pageParameters } from '../../lists/page.js';
import { Parameters } from '../../http/parameters.js';
import { listResponse } from '../../lists/streamed-list.js';
import { FormIdParam } from '../form-id-param.js';
import { checkView, EMBED, THEME } from '../pages/page-view.js';
import { PageAnswers, SubmissionProblemFilter } from '../pages/page-answers.js';
import { ListedSubmissionDto } from '../inbox/inbox.dto.js';
import { type FullRow, presentFull } from '../inbox/submission-full.js';
import { SubmissionListService } from '../inbox/submission-list.service.js';
import { readSubmissionList, selectionParameters, viewParameter } from '../inbox/submission-list-request.js';
import { CreateSubmission } from './create-submission.js';
import { type SubmissionBody, SubmissionBodyParam } from './submission-body.js';
import { SubmissionDeletions } from './submission-deletions.js';
import { SubmissionLimits } from './submission-limits.js';
import { presentSubmission } from './submission-presenter.js';
import { DeleteSubmissionsDto, SubmissionDto } from './submissions.dto.js';

const PAGE = { 'text/html': { schema: { type: 'string' } } } as const;
const LOCATION = { Location: { description: 'The URL.', schema: { type: 'string', format: 'uri' } } } as const;

@ApiTags('Submissions')
@Controller('v1/forms/:tenant_id/:form_id/submissions')
export class SubmissionsController {
  constructor(
    private readonly creation: CreateSubmission,
    private readonly lists: SubmissionListService,
    private readonly deletions: SubmissionDeletions,
    private readonly answers: PageAnswers,
  ) {}

  @Post()
  @ApiOperation({
    summary: 'Submit a form',
    description:
      'Submits a form. No API key is required. Pages of any origin can submit unless the tenant restricts the ' +
      'origins. Pages of other origins then receive 403. A client address can send at most 10 requests per ' +
      'minute to all forms together, or to this form the number that its setting `rate_limit` allows. Emits `form.submitted`.\n\n' +
      'A page can also send its form without a script, as a browser encodes it. If `Accept` then names `text/html`, or `Sec-Fetch-Mode` is ' +
      '`navigate`, the answer is a page: 303 to `_redirect`, a page that says thanks, the form with what is wrong (422), or a page that ' +
      'explains the problem. `GET /f/{tenant_id}/{slug}` shows the form as a page.',
  })
  @Public({ forVisitorsOf: 'forms' })
  @RateLimit({ per: 'address', name: 'submit', limit: 10, window: 'minute', own: SubmissionLimits })
  @TakesIdempotencyKey({ owner: CreateSubmission })
  @TenantParam()
  @ApiParam({
    name: 'form_id',
    description: 'The ID or the slug of the form.',
    schema: { type: 'string', example: 'contact' },
  })
  @Parameters(EMBED, THEME)
  @DataResponse(SubmissionDto, 201)
  @ApiResponse({ status: 200, description: 'A page that says thanks, for browsers.', content: PAGE })
  @ApiResponse({ status: 303, description: 'Leads a browser to `_redirect`.', headers: LOCATION, content: PAGE })
  @ProblemResponses('forbidden', 'limit_reached', 'not_found', 'rate_limited')
  @UseFilters(SubmissionProblemFilter)
  async submitForm(
    @Param('tenant_id') tenantId: string,
    @Param('form_id') idOrSlug: string,
    @QueryString() query: Query,
    @Req() request: Request,
    @SubmissionBodyParam() body: SubmissionBody,
  ): Promise<JsonText> {
    checkView(query);
    const name = { tenantId, idOrSlug };
    const submission = await this.creation.run(name, body);
    return this.answers.success(name, `{"data":${submission}}`, body, request);
  }

  @Get()
  @ApiOperation({
    summary: 'List submissions',
    description:
      'Lists the submissions of a form. Without `sort`, the newest submission comes first. Spam is left out unless `verdict` asks for it.',
  })
  @RequiresKey('forms', 'read')
  @Parameters(...pageParameters, ...selectionParameters, viewParameter)
  @ListResponse(ListedSubmissionDto)
  @ProblemResponses('unknown_field')
  async list(
    @WithCaller() caller: Caller,
    @FormIdParam() formId: string,
    @QueryString() query: Query,
  ): Promise<JsonText | JsonStream> {
    const { view, page, ...selection } = readSubmissionList(query);
    const { rows, meta, large } = await this.lists.list(caller, formId, selection, page, view === 'full');
    const present = (row: FullRow) => (view === 'full' ? presentFull(formId, row) : presentSubmission(formId, row));
    const records = rows.map((row) => (row.fields === null ? row : present(row)));
    return listResponse({ records, meta, large, present });
  }

  @Delete(':submission_id')
  @ApiOperation({
    summary: 'Delete a submission',
    description:
      'Permanently deletes the submission. Its values are also removed from its events: their `data` becomes null. Emits ' +
      '`submission.deleted`.',
  })
  @RequiresKey('forms', 'write')
  @MessageResponse()
  async delete(
    @WithCaller() caller: Caller,
    @FormIdParam() formId: string,
    @IdParam('submission_id', 'sub', 'submission') submissionId: string,
  ): Promise<Message> {
    if ((await this.deletions.deleteOf(caller, formId, [submissionId])) === 0) throw Problem.notFound('submission');
    return { message: 'The submission was deleted.' };
  }

  @Post('delete')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Delete submissions',
    description: 'Permanently deletes several submissions of the form, like *Delete a submission*.',
  })
  @RequiresKey('forms', 'write')
  @MessageResponse('The submissions were deleted.')
  async deleteSubmissions(
    @WithCaller() caller: Caller,
    @FormIdParam() formId: string,
    @JsonBody(DeleteSubmissionsDto) { ids }: DeleteSubmissionsDto,
  ): Promise<Message> {
    const known = new Set(ids.flatMap((id) => parseId('sub', id) ?? []));
    const deleted = await this.deletions.deleteOf(caller, formId, [...known]);
    return { message: `${deleted} ${deleted === 1 ? 'submission was' : 'submissions were'} deleted.` };
  }
}
