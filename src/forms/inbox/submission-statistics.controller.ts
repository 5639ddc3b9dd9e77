import { Controller, Get, Query as QueryString } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { RequiresKey, WithCaller } from '../../access/access.js';
import type { Caller } from '../../http/caller.js';
import { Parameters } from '../../http/parameters.js';
import type { Query } from '../../http/query.js';
import { DataListResponse } from '../../http/responses/responses.js';
import { FormIdParam } from '../form-id-param.js';
import { FormWarningDto } from '../spam/form-warnings.js';
import { daysParameter, SubmissionStatistics } from './submission-statistics.service.js';

/** The submissions of a day. */
class SubmissionDayDto {
  @ApiProperty({ format: 'date', example: '2026-01-31' })
  date!: string;

  @ApiProperty({ type: 'integer', minimum: 0, example: 12 })
  ok!: number;

  @ApiProperty({ type: 'integer', minimum: 0, example: 3 })
  spam!: number;
}

@ApiTags('Submissions')
@Controller('v1/forms/:tenant_id/:form_id/stats')
export class SubmissionStatisticsController {
  constructor(private readonly statistics: SubmissionStatistics) {}

  @Get()
  @ApiOperation({
    summary: 'Count submissions by day',
    description:
      'Returns the number of submissions of each day in UTC on which they arrived, by the verdict that they have today. Days without ' +
      'submissions are included. Deleted submissions are still counted. `warnings` is the same as that of *Get a form*.',
  })
  @RequiresKey('forms', 'read')
  @Parameters(daysParameter)
  @DataListResponse(SubmissionDayDto, { warnings: FormWarningDto })
  async getFormStats(
    @WithCaller() caller: Caller,
    @FormIdParam() formId: string,
    @QueryString() query: Query,
  ): Promise<{ data: SubmissionDayDto[]; warnings?: FormWarningDto[] }> {
    return this.statistics.read(caller, formId, query);
  }
}
