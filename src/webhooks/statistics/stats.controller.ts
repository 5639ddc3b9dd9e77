import { Controller, Get, Query as QueryString } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequiresKey, WithCaller } from '../../access/access.js';
import type { Caller } from '../../http/caller.js';
import { Parameters } from '../../http/parameters.js';
import type { Query } from '../../http/query.js';
import { DataResponse } from '../../http/responses/responses.js';
import { IdParam } from '../../ids/id-param.js';
import { readInteger } from '../../lists/page.js';
import { WebhookStatsDto } from './stats.dto.js';
import { StatsService } from './stats.service.js';

const DEFAULT_HOURS = 24;
const MAX_HOURS = 168;

@ApiTags('Webhooks')
@Controller('v1/webhooks/:tenant_id/:webhook_id')
export class StatsController {
  constructor(private readonly stats: StatsService) {}

  @Get('stats')
  @ApiOperation({
    summary: 'Get statistics of a webhook',
    description:
      'Counts the deliveries that ended in the last hours, among the newest 1,000,000 of the webhook. The durations are those of the attempts ' +
      'at its newest 2,000 deliveries in this time.',
  })
  @RequiresKey('webhooks', 'read')
  @Parameters({
    name: 'hours',
    schema: { type: 'integer', minimum: 1, maximum: MAX_HOURS, default: DEFAULT_HOURS },
    description: 'The number of hours before now.',
  })
  @DataResponse(WebhookStatsDto)
  async getWebhookStats(
    @WithCaller() caller: Caller,
    @IdParam('webhook_id', 'wh', 'webhook') webhookId: string,
    @QueryString() query: Query,
  ): Promise<{ data: WebhookStatsDto }> {
    const hours = readInteger(query, 'hours', DEFAULT_HOURS, MAX_HOURS);
    return { data: await this.stats.read(caller, webhookId, hours) };
  }
}
