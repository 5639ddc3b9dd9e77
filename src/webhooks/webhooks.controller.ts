import { Controller, Delete, Get, Patch, Post, Query as QueryString } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequiresKey, WithCaller } from '../access/access.js';
import { writtenAnswer } from '../access/may-read.js';
import { JsonText } from '../http/http-adapter.js';
import { formatId } from '../ids/type-id.js';
import { ProblemResponses } from '../errors/problem-responses.js';
import type { Caller } from '../http/caller.js';
import {
  DataListResponse,
  DataResponse,
  type Message,
  MessageResponse,
  WrittenResponse,
} from '../http/responses/responses.js';
import type { CheckedBody } from '../http/bodies/dto.pipe.js';
import { type Parameter, Parameters, readOption } from '../http/parameters.js';
import type { Query } from '../http/query.js';
import { JsonBodyWithValues } from '../http/bodies/json-body.decorator.js';
import { IdParam } from '../ids/id-param.js';
import {
  presentCreatedWebhook,
  presentFullWebhook,
  presentSecret,
  presentUpdatedWebhook,
  presentWebhook,
  presentWebhookDetail,
} from './webhook-presenter.js';
import {
  CreatedWebhookDto,
  CreateWebhookDto,
  ListedWebhookDto,
  ReadWebhookDto,
  UpdatedWebhookDto,
  UpdateWebhookDto,
} from './webhooks.dto.js';
import { WebhooksService } from './webhooks.service.js';

const viewParameter: Parameter = {
  name: 'view',
  schema: { type: 'string', enum: ['full'] },
  description: 'With `full`, each webhook has all its properties, and `signed`: whether its deliveries are signed.',
};

@ApiTags('Webhooks')
@Controller('v1/webhooks/:tenant_id')
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Get()
  @ApiOperation({
    summary: 'List webhooks',
    description: 'Lists all webhooks of the tenant, newest first. The list is not paginated.',
  })
  @RequiresKey('webhooks', 'read')
  @Parameters(viewParameter)
  @DataListResponse(ListedWebhookDto)
  async list(@WithCaller() caller: Caller, @QueryString() query: Query): Promise<{ data: ListedWebhookDto[] }> {
    const present = readOption(query, 'view', ['full']) === 'full' ? presentFullWebhook : presentWebhook;
    return { data: (await this.webhooks.list(caller)).map(present) };
  }

  @Post()
  @ApiOperation({
    summary: 'Create a webhook',
    description:
      'The webhook receives every event of the listed types that occurs from now on. The service sends each ' +
      'event to `url` with POST, as `{id, type, timestamp, tenant_id, data}`, at least once. The order is not ' +
      'guaranteed unless the webhook is `ordered`. Each request has the headers of the Standard Webhooks specification: `webhook-id` (the same ' +
      'on every retry), `webhook-timestamp` and, if the webhook has a `secret` or a `signature`, `webhook-signature`. `trivet-attempt` is the number of the attempt, and ' +
      '`trivet-version` grows with the changes of the resource. Any 2xx ' +
      'response within 15 seconds is a success. Redirects are not followed. The API key must also be allowed to ' +
      'read the data of the events: `content:read` for content types and entries, `media:read` for media files, `forms:read` for ' +
      'forms and submissions, `webhooks:read` for webhooks, or `read` for all of them.',
  })
  @RequiresKey('webhooks', 'write')
  @DataResponse(CreatedWebhookDto, 201)
  @ProblemResponses('limit_reached')
  async create(
    @WithCaller() caller: Caller,
    @JsonBodyWithValues(CreateWebhookDto) body: CheckedBody<CreateWebhookDto>,
  ): Promise<{ data: CreatedWebhookDto }> {
    return { data: presentCreatedWebhook(await this.webhooks.create(caller, body)) };
  }

  @Get(':webhook_id')
  @ApiOperation({
    summary: 'Get a webhook',
    description: 'Returns the webhook. If the service made it inactive, `disabled_reason` says why.',
  })
  @RequiresKey('webhooks', 'read')
  @Parameters(viewParameter)
  @DataResponse(ReadWebhookDto)
  async get(
    @WithCaller() caller: Caller,
    @IdParam('webhook_id', 'wh', 'webhook') webhookId: string,
    @QueryString() query: Query,
  ): Promise<{ data: ReadWebhookDto }> {
    const present = readOption(query, 'view', ['full']) === 'full' ? presentFullWebhook : presentWebhookDetail;
    return { data: present(await this.webhooks.get(caller, webhookId)) };
  }

  @Patch(':webhook_id')
  @ApiOperation({
    summary: 'Update a webhook',
    description:
      'Properties that are not sent keep their values. To add events, to change the `url` or the `filters`, to set `payload` to `full`, or to make the ' +
      'webhook active, the API key must also be allowed to read the data of the events.',
  })
  @RequiresKey('webhooks', 'write')
  @WrittenResponse(UpdatedWebhookDto)
  async update(
    @WithCaller() caller: Caller,
    @IdParam('webhook_id', 'wh', 'webhook') webhookId: string,
    @JsonBodyWithValues(UpdateWebhookDto) body: CheckedBody<UpdateWebhookDto>,
  ): Promise<JsonText> {
    const updated = await this.webhooks.update(caller, webhookId, body);
    const written = { area: 'webhooks', id: formatId('wh', webhookId) } as const;
    return writtenAnswer(caller, { ...written, ...presentSecret(updated.generated) }, () =>
      JSON.stringify(presentUpdatedWebhook(updated)),
    );
  }

  @Delete(':webhook_id')
  @ApiOperation({
    summary: 'Delete a webhook',
    description: 'Permanently deletes the webhook. Its pending deliveries are no longer sent.',
  })
  @RequiresKey('webhooks', 'write')
  @MessageResponse()
  async delete(
    @WithCaller() caller: Caller,
    @IdParam('webhook_id', 'wh', 'webhook') webhookId: string,
  ): Promise<Message> {
    await this.webhooks.delete(caller, webhookId);
    return { message: 'The webhook was deleted.' };
  }
}
