import { Controller, Get, Query as QueryString } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequiresKey, WithCaller } from '../access/access.js';
import type { Caller } from '../http/caller.js';
import { Parameters } from '../http/parameters.js';
import type { Query } from '../http/query.js';
import { DataListResponse, DataResponse } from '../http/responses/responses.js';
import { readInteger } from '../lists/page.js';
import { UsageDayDto, UsageDto } from './usage.dto.js';
import { UsageService } from './usage.service.js';

const DEFAULT_DAYS = 30;
const MAX_DAYS = 365;

@ApiTags('Usage')
@Controller('v1/usage/:tenant_id')
export class UsageController {
  constructor(private readonly usage: UsageService) {}

  @Get()
  @ApiOperation({
    summary: 'Get the usage of the tenant',
    description:
      'Returns what the tenant has, and the limits of its configuration. A request that would exceed a limit is refused with 403 ' +
      '`limit_reached`.',
  })
  @RequiresKey('usage', 'read', { inAnyArea: true })
  @DataResponse(UsageDto)
  async get(@WithCaller() caller: Caller): Promise<{ data: UsageDto }> {
    return { data: await this.usage.read(caller) };
  }

  @Get('history')
  @ApiOperation({
    summary: 'Get the usage by day',
    description:
      'Returns a row for each of the last days in UTC, today last. What was deleted since is still counted, except spam of deleted forms.',
  })
  @RequiresKey('usage', 'read', { inAnyArea: true })
  @Parameters({
    name: 'days',
    schema: { type: 'integer', minimum: 1, maximum: MAX_DAYS },
    description: 'The number of days, 30 by default. The last one is today.',
  })
  @DataListResponse(UsageDayDto)
  async getUsageHistory(@WithCaller() caller: Caller, @QueryString() query: Query): Promise<{ data: UsageDayDto[] }> {
    return { data: await this.usage.history(caller, readInteger(query, 'days', DEFAULT_DAYS, MAX_DAYS)) };
  }
}
