import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequiresKey, WithCaller } from '../access/access.js';
import { Database } from '../database/database.js';
import { Problem } from '../errors/problem.js';
import type { Caller } from '../http/caller.js';
import { DataListResponse } from '../http/responses/responses.js';
import { FormIdParam } from '../forms/form-id-param.js';
import { IdParam } from '../ids/id-param.js';
import { MAILS_OF_SUBMISSION } from './mail-list.sql.js';
import { presentMail } from './mail-presenter.js';
import { MailDto } from './mails.dto.js';

@ApiTags('Submissions')
@Controller('v1/forms/:tenant_id/:form_id/submissions/:submission_id/mails')
export class MailsController {
  constructor(private readonly database: Database) {}

  @Get()
  @ApiOperation({
    summary: 'List the emails of a submission',
    description:
      'Lists each email about the submission, with its recipient and what became of it. Emails are listed as long as their events are ' +
      'kept. An email that lists several submissions (a digest) is listed at each of them.',
  })
  @RequiresKey('forms', 'read')
  @DataListResponse(MailDto)
  async list(
    @WithCaller() { tenantId }: Caller,
    @FormIdParam() formId: string,
    @IdParam('submission_id', 'sub', 'submission') submissionId: string,
  ): Promise<{ data: MailDto[] }> {
    const rows = await this.database.query(tenantId, MAILS_OF_SUBMISSION, { formId, submissionId });
    if (rows.length === 0) throw Problem.notFound('submission');
    return { data: rows.flatMap(({ id, ...row }) => (id === null ? [] : presentMail({ id, ...row }))) };
  }
}
