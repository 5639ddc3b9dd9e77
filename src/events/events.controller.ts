import { Controller, Get, Query as QueryString, Req } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { Request } from 'express';
import { RequiresKey, WithCaller } from '../access/access.js';
import type { Caller } from '../http/caller.js';
import type { JsonText } from '../http/http-adapter.js';
import type { JsonStream } from '../http/responses/json-stream.js';
import type { Query } from '../http/query.js';
import { pageOf } from '../lists/page.dto.js';
import { pageParameters, readCursorPage } from '../lists/page.js';
import { Parameters } from '../http/parameters.js';
import { EVENT_TYPE } from '../openapi/event-type.js';
import { boundParameter } from '../lists/periods.js';
import { listResponse } from '../lists/streamed-list.js';
import { EventFeed } from './feed/event-feed.js';
import { type EventRow, presentEvent } from './event-presenter.js';
import { type EventSelection, readEventSelection, readSince } from './feed/event-selection.js';
import { EventDto, FeedMetaDto } from './events.dto.js';
import type { EventStream } from './stream/event-stream.js';
import { EventStreamsService } from './stream/event-streams.service.js';

const STREAM = 'text/event-stream';
const PAGE = pageOf(EventDto, FeedMetaDto);

@ApiTags('Events')
@Controller('v1/events/:tenant_id')
export class EventsController {
  constructor(
    private readonly feed: EventFeed,
    private readonly streams: EventStreamsService,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Read the change feed',
    description:
      'Returns every event of the tenant, for consumers that were offline or that prefer polling to webhooks. ' +
      'Start without a cursor. Then send `meta.next_cursor` of the previous response as `cursor`. When `data` ' +
      'is empty, there are no new events yet: ask again later with the cursor of that response. The order never ' +
      'changes, no event is ever skipped, and the events of one resource are in the order of its changes. ' +
      'Events are kept for 30 days unless the service is configured otherwise.\n\n' +
      'With `Accept: text/event-stream`, the response is a stream that never ends: each event as it is committed, from now on unless ' +
      '`cursor`, `since` or `Last-Event-ID` say otherwise. `id` is the cursor, so a client that connects again with `Last-Event-ID` ' +
      'misses and repeats nothing. A comment comes every 15 seconds. The response is 503 if the tenant has too many open streams (100 ' +
      'unless the service is configured otherwise).',
  })
  @RequiresKey('events', 'read')
  @Parameters(
    ...pageParameters
      .filter(({ name }) => name === 'per_page')
      .map((parameter) => ({
        ...parameter,
        description: 'The number of records per page. It has no effect on a stream.',
      })),
    {
      name: 'cursor',
      schema: { type: 'string' },
      allowEmptyValue: true,
      description:
        '`meta.next_cursor` of the previous response, or an `id` of a stream, with the same types. Send an empty cursor to start at the ' +
        'oldest event.',
    },
    {
      name: 'types',
      schema: { type: 'array', items: EVENT_TYPE },
      style: 'form',
      explode: false,
      description: 'Returns only events of these types, separated by commas.',
    },
    { name: 'filter[type]', schema: EVENT_TYPE, description: 'Returns only events of this type.' },
    boundParameter(
      'since',
      'Starts at the first event of this time (RFC 3339), or of this day in UTC, or later, instead of at a cursor.',
    ),
  )
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    schema: { type: 'string' },
    description:
      'For a stream: the `id` of the last event that the client has. It has precedence over `cursor` and `since`.',
  })
  @ApiOkResponse({
    description: 'The events after the cursor.',
    content: {
      'application/json': { schema: { $ref: getSchemaPath(PAGE) } },
      [STREAM]: {
        schema: { type: 'string', description: 'Server-sent events: `id`, `event` (the type) and `data` (the event).' },
      },
    },
  })
  @ApiExtraModels(PAGE)
  async list(
    @WithCaller() caller: Caller,
    @QueryString() query: Query,
    @Req() request: Request,
  ): Promise<JsonText | JsonStream | EventStream> {
    const selection = readEventSelection(query);
    const since = readSince(query);
    const page = readCursorPage(query);
    if (request.accepts('application/json', STREAM) === STREAM) return this.stream(caller, selection, request, since);
    const { rows, meta, large } = await this.feed.read(caller, page, selection, since);
    const present = (row: EventRow) => presentEvent(caller.tenantId, row);
    const records = rows.map((row) => (row.data === null ? row : present(row)));
    return listResponse({ records, meta, large, present });
  }

  private stream(
    caller: Caller,
    selection: EventSelection,
    { headers, query }: Request,
    since: Date | undefined,
  ): EventStream {
    const lastEventId = headers['last-event-id'];
    return this.streams.open(caller, selection, {
      // Browsers send none before they have received one.
      lastEventId: typeof lastEventId === 'string' && lastEventId !== '' ? lastEventId : undefined,
      cursor: (query as Query)['cursor'] as string | undefined,
      since,
    });
  }
}
