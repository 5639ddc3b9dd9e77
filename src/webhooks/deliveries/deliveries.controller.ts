import { Controller, Get, HttpCode, Post, Query as QueryString } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequiresKey, WithCaller } from '../../access/access.js';
import { writtenAnswer } from '../../access/may-read.js';
import { formatId } from '../../ids/type-id.js';
import type { Caller } from '../../http/caller.js';
import { ProblemResponses } from '../../errors/problem-responses.js';
import { Problem } from '../../errors/problem.js';
import { DataResponse, WrittenResponse } from '../../http/responses/responses.js';
import { JsonBody } from '../../http/bodies/json-body.decorator.js';
import { JsonText } from '../../http/http-adapter.js';
import type { Query } from '../../http/query.js';
import { IdParam } from '../../ids/id-param.js';
import { listText } from '../../lists/streamed-list.js';
import { ListResponse } from '../../lists/page.dto.js';
import { pageParameters, readPage } from '../../lists/page.js';
import { dateOfBound } from '../../lists/periods.js';
import { Parameters } from '../../http/parameters.js';
import { DeliveryDto, RedeliverDto, RedeliveredDto } from './deliveries.dto.js';
import type { DeliveryFilter } from './deliveries-list.sql.js';
import { DeliveriesService } from './deliveries.service.js';
import { type DeliveryRow, presentDelivery } from './delivery-presenter.js';
import { DELIVERABLE_TYPE, deliverableTypes, DELIVERY_STATUSES } from './delivery-status.js';

const STATUS = 'filter[status]';
const TYPE = 'filter[event_type]';

@ApiTags('Webhooks')
@Controller('v1/webhooks/:tenant_id/:webhook_id')
export class DeliveriesController {
  constructor(private readonly deliveries: DeliveriesService) {}

  @Get('deliveries')
  @ApiOperation({
    summary: 'List deliveries',
    description:
      'Lists the delivery of each event that was or will be sent to the webhook, with its attempts. The newest ' +
      'event comes first.',
  })
  @RequiresKey('webhooks', 'read')
  @Parameters(
    ...pageParameters,
    {
      name: STATUS,
      enum: DELIVERY_STATUSES,
      description: 'Returns only deliveries with this status.',
    },
    {
      name: TYPE,
      schema: DELIVERABLE_TYPE,
      description: 'Returns only deliveries of events of this type.',
    },
  )
  @ListResponse(DeliveryDto)
  async list(
    @WithCaller() caller: Caller,
    @IdParam('webhook_id', 'wh', 'webhook') webhookId: string,
    @QueryString() query: Query,
  ): Promise<JsonText> {
    const { rows, meta } = await this.deliveries.list(caller, webhookId, readFilter(query), readPage(query));
    return listText(rows.map(presentDelivery), meta);
  }

  @Post('deliveries/:delivery_id/redeliver')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Send a delivery again',
    description:
      'Sends a delivery again, regardless of its status. The first attempt is made now. If it fails, the whole ' +
      'retry schedule applies. `webhook-id` stays the same. The API key must also be allowed to read the data ' +
      'of the event.',
  })
  @RequiresKey('webhooks', 'write')
  @WrittenResponse(DeliveryDto, 202)
  @ProblemResponses('conflict')
  async redeliverEvent(
    @WithCaller() caller: Caller,
    @IdParam('webhook_id', 'wh', 'webhook') webhookId: string,
    @IdParam('delivery_id', 'dlv', 'delivery') deliveryId: string,
  ): Promise<JsonText> {
    return deliveryAnswer(caller, await this.deliveries.redeliver(caller, webhookId, deliveryId));
  }

  @Post('redeliver')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Send failed deliveries again',
    description:
      'Sends every delivery again that became `failed` or `canceled` at the given time or later. The API key ' +
      'must also be allowed to read the data of these events.',
  })
  @RequiresKey('webhooks', 'write')
  @DataResponse(RedeliveredDto, 202)
  @ProblemResponses('conflict')
  async redeliverFailedEvents(
    @WithCaller() caller: Caller,
    @IdParam('webhook_id', 'wh', 'webhook') webhookId: string,
    @JsonBody(RedeliverDto) { since }: RedeliverDto,
  ): Promise<{ data: RedeliveredDto }> {
    return { data: { count: await this.deliveries.redeliverFailed(caller, webhookId, dateOfBound(since, 'start')) } };
  }

  @Post('test')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Send a test event',
    description: 'Sends a `webhook.test` event to this webhook only. The data of the event is the webhook.',
  })
  @RequiresKey('webhooks', 'write')
  @WrittenResponse(DeliveryDto, 202)
  @ProblemResponses('conflict')
  async testWebhook(
    @WithCaller() caller: Caller,
    @IdParam('webhook_id', 'wh', 'webhook') webhookId: string,
  ): Promise<JsonText> {
    return deliveryAnswer(caller, await this.deliveries.sendTest(caller, webhookId));
  }
}

function deliveryAnswer(caller: Caller, row: DeliveryRow): JsonText {
  return writtenAnswer(caller, { area: 'webhooks', id: formatId('dlv', row.id) }, () => presentDelivery(row));
}

function readFilter(query: Query): DeliveryFilter {
  return { status: readOneOf(query, STATUS, DELIVERY_STATUSES), type: readOneOf(query, TYPE, deliverableTypes()) };
}

/** Returns the value of the parameter; undefined if it is not sent. Throws a 400 if it is not one of `values`. */
function readOneOf<Value extends string>(query: Query, parameter: string, values: readonly Value[]): Value | undefined {
  const value = query[parameter];
  if (value === undefined) return undefined;
  const known = values.find((candidate) => candidate === value);
  if (known === undefined) throw Problem.parameter(parameter, `${parameter} must be one of ${values.join(', ')}.`);
  return known;
}
