import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequiresKey, WithCaller } from '../../access/access.js';
import { ProblemResponses } from '../../errors/problem-responses.js';
import type { Caller } from '../../http/caller.js';
import { JsonBody } from '../../http/bodies/json-body.decorator.js';
import { DataResponse } from '../../http/responses/responses.js';
import { dateOfBound } from '../../lists/periods.js';
import { IdParam } from '../../ids/id-param.js';
import { ReplayDto, ReplayedDto } from './replays.dto.js';
import { ReplaysService } from './replays.service.js';

@ApiTags('Webhooks')
@Controller('v1/webhooks/:tenant_id/:webhook_id')
export class ReplaysController {
  constructor(private readonly replays: ReplaysService) {}

  @Post('replay')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Send events of the past again',
    description:
      'Sends every event of the range that fits the `events` and `filters` of the webhook, also events from before the webhook was ' +
      'created, as far as they are still stored. Each is a new delivery; `webhook-id` is the ID of the event, as in every delivery. The deliveries are ' +
      'added little by little, so that new events do not wait behind all of them. A range with more than 100,000 such events, or with ' +
      'more than 1,000,000 events of any kind, is 422. If the webhook becomes inactive, the replay ends. The API key must also be allowed to ' +
      'read the data of the events.',
  })
  @RequiresKey('webhooks', 'write')
  @DataResponse(ReplayedDto, 202)
  @ProblemResponses('conflict')
  async replayEvents(
    @WithCaller() caller: Caller,
    @IdParam('webhook_id', 'wh', 'webhook') webhookId: string,
    @JsonBody(ReplayDto) { from, to, types, dry_run: isDry = false }: ReplayDto,
  ): Promise<{ data: ReplayedDto }> {
    const request = {
      from: dateOfBound(from, 'start'),
      to: to === undefined ? undefined : dateOfBound(to, 'end'),
      types,
      isDry,
    };
    return { data: { count: await this.replays.replay(caller, webhookId, request) } };
  }
}
