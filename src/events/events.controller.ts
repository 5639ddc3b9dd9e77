import { Controller, Get, Query as QueryString } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequiresKey, WithCaller } from '../access/access.js';
import type { Caller } from '../http/caller.js';
import { Problem } from '../errors/problem.js';
import type { JsonText } from '../http/http-adapter.js';
import type { JsonStream } from '../http/json-stream.js';
import type { Query } from '../http/query.js';
import { pageOf } from '../lists/page.dto.js';
import { pageParameters, readCursorPage } from '../lists/page.js';
import { Parameters } from '../http/parameters.js';
import { EVENT_TYPE } from '../openapi/event-type.js';
import { eventTypes } from '../rooms/installed.js';
import type { EventType } from '../rooms/room.js';
import { listResponse } from '../lists/streamed-list.js';
import { EventFeed } from './event-feed.js';
import { type EventRow, presentEvent } from './event-presenter.js';
import { EventDto, FeedMetaDto } from './events.dto.js';

@ApiTags('Events')
@Controller('v1/events/:tenant_id')
export class EventsController {
  constructor(private readonly feed: EventFeed) {}

  @Get()
  @ApiOperation({
    summary: 'Read the change feed',
    description:
      'Returns every event of the tenant, for consumers that were offline or that prefer polling to webhooks. ' +
      'Start without a cursor. Then send `meta.next_cursor` of the previous response as `cursor`. When `data` ' +
      'is empty, there are no new events yet: ask again later with the cursor of that response. The order never ' +
      'changes, no event is ever skipped, and the events of one resource are in the order of its changes. ' +
      'Events are kept for 30 days unless the service is configured otherwise.',
  })
  @RequiresKey('events', 'read')
  @Parameters(
    ...pageParameters.filter(({ name }) => name === 'per_page'),
    {
      name: 'cursor',
      schema: { type: 'string' },
      allowEmptyValue: true,
      description:
        '`meta.next_cursor` of the previous response, with the same filter. Send an empty cursor or omit it to ' +
        'start at the oldest event.',
    },
    { name: 'filter[type]', schema: EVENT_TYPE, description: 'Returns only events of this type.' },
  )
  @ApiOkResponse({ description: 'The events after the cursor.', type: pageOf(EventDto, FeedMetaDto) })
  async read(@WithCaller() caller: Caller, @QueryString() query: Query): Promise<JsonText | JsonStream> {
    const type = readType(query);
    const { rows, meta, large } = await this.feed.read(caller, readCursorPage(query), type);
    const present = (row: EventRow) => presentEvent(caller.tenantId, row);
    const records = rows.map((row) => (row.data === null ? row : present(row)));
    return listResponse({ records, meta, large, present });
  }
}

function readType(query: Query): EventType | null {
  const value = query['filter[type]'];
  if (value === undefined) return null;
  const types = eventTypes();
  const type = types.find((known) => known === value);
  if (!type) throw Problem.parameter('filter[type]', `filter[type] must be one of ${types.join(', ')}.`);
  return type;
}
