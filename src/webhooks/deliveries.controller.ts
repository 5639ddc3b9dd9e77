import { Controller, Get, HttpCode, Post, Query as QueryString } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequiresKey, WithCaller } from '../access/access.js';
import type { Caller } from '../access/caller.js';
import { ProblemResponses } from '../errors/problem-responses.js';
import { Problem } from '../errors/problem.js';
import { DataResponse } from '../http/answers.js';
import { JsonBody } from '../http/checked-body.js';
import { JsonText } from '../http/http-adapter.js';
import type { Query } from '../http/query.js';
import { IdParam } from '../ids/id-param.js';
import { listText } from '../lists/streamed-list.js';
import { ListResponse } from '../lists/page.dto.js';
import { pageParameters, readPage } from '../lists/page.js';
import { Parameters } from '../lists/parameters.js';
import { DeliveryDto, RedeliverDto, RedeliveredDto } from './deliveries.dto.js';
import { DeliveriesService } from './deliveries.service.js';
import { presentDelivery } from './delivery-presenter.js';
import { DELIVERABLE_TYPES, DELIVERY_STATUSES } from './delivery-status.js';

const FILTERS = {
  status: { parameter: 'filter[status]', values: DELIVERY_STATUSES },
  type: { parameter: 'filter[event_type]', values: DELIVERABLE_TYPES },
};

@ApiTags('Webhooks')
@Controller('v1/webhooks/:tenant_id/:webhook_id')
export class DeliveriesController {
  constructor(private readonly deliveries: DeliveriesService) {}

  @Get('deliveries')
  @ApiOperation({
    summary: 'List deliveries',
    description: 'Of each event that was or will be sent to the webhook, the newest event first, with its attempts.',
  })
  @RequiresKey('webhooks', 'read')
  @Parameters(
    ...pageParameters,
    { name: FILTERS.status.parameter, enum: FILTERS.status.values, description: 'Deliveries in this state.' },
    { name: FILTERS.type.parameter, enum: FILTERS.type.values, description: 'Deliveries of events of this type.' },
  )
  @ListResponse(DeliveryDto)
  async list(
    @WithCaller() caller: Caller,
    @IdParam('webhook_id', 'wh', 'webhook') webhookId: string,
    @QueryString() query: Query,
  ): Promise<JsonText> {
    const filter = { status: readFilter(query, FILTERS.status), type: readFilter(query, FILTERS.type) };
    const name = `deliveries ${webhookId} ${filter.status ?? ''} ${filter.type ?? ''}`;
    const { rows, meta } = await this.deliveries.list(caller, webhookId, filter, readPage(query, name), name);
    return listText(rows.map(presentDelivery), meta);
  }

  @Post('deliveries/:delivery_id/redeliver')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Send a delivery again',
    description:
      'Whatever its state, now and, should it fail, by the whole retry schedule. `webhook-id` stays the same. The key must also be allowed ' +
      'to read what the event carries.',
  })
  @RequiresKey('webhooks', 'write')
  @DataResponse(DeliveryDto, 202)
  @ProblemResponses('conflict')
  async redeliver(
    @WithCaller() caller: Caller,
    @IdParam('webhook_id', 'wh', 'webhook') webhookId: string,
    @IdParam('delivery_id', 'dlv', 'delivery') deliveryId: string,
  ): Promise<JsonText> {
    const row = await this.deliveries.redeliver(caller, webhookId, deliveryId);
    return new JsonText(`{"data":${presentDelivery(row)}}`);
  }

  @Post('redeliver')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Send again what failed',
    description:
      'Every delivery that became `failed` or `canceled` at the given time or later. The key must also be allowed to read what these events ' +
      'carry.',
  })
  @RequiresKey('webhooks', 'write')
  @DataResponse(RedeliveredDto, 202)
  @ProblemResponses('conflict')
  async redeliverFailed(
    @WithCaller() caller: Caller,
    @IdParam('webhook_id', 'wh', 'webhook') webhookId: string,
    @JsonBody(RedeliverDto) { since }: RedeliverDto,
  ): Promise<{ data: RedeliveredDto }> {
    return { data: { count: await this.deliveries.redeliverFailed(caller, webhookId, new Date(since)) } };
  }

  @Post('test')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Send a test event',
    description: 'A `webhook.test` event, with the webhook as its data, to this webhook alone.',
  })
  @RequiresKey('webhooks', 'write')
  @DataResponse(DeliveryDto, 202)
  @ProblemResponses('conflict')
  async test(
    @WithCaller() caller: Caller,
    @IdParam('webhook_id', 'wh', 'webhook') webhookId: string,
  ): Promise<JsonText> {
    return new JsonText(`{"data":${presentDelivery(await this.deliveries.sendTest(caller, webhookId))}}`);
  }
}

/** The filter's value if it is one of those there are; 400 for another. */
function readFilter(query: Query, { parameter, values }: { parameter: string; values: readonly string[] }) {
  const value = query[parameter];
  if (value === undefined) return undefined;
  const known = values.find((candidate) => candidate === value);
  if (known === undefined) throw Problem.parameter(parameter, `${parameter} must be one of ${values.join(', ')}.`);
  return known;
}
