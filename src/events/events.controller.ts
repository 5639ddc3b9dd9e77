import { Controller, Get, Query as QueryString } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { RequiresKey, WithCaller } from '../access/access.js';
import type { Caller } from '../access/caller.js';
import { Problem } from '../errors/problem.js';
import type { JsonText } from '../http/http-adapter.js';
import type { JsonStream } from '../http/json-stream.js';
import type { Query } from '../http/query.js';
import { isNumbered, pageParameters, readPage } from '../lists/page.js';
import { Parameters } from '../lists/parameters.js';
import { listAnswer } from '../lists/streamed-list.js';
import { EventFeed } from './event-feed.js';
import { type EventRow, presentEvent } from './event-presenter.js';
import { EVENT_TYPES, type EventType } from './event-types.js';
import { EventDto, FeedMetaDto } from './events.dto.js';

@ApiTags('Events')
@Controller('v1/events/:tenant_id')
export class EventsController {
  constructor(private readonly feed: EventFeed) {}

  @Get()
  @ApiOperation({
    summary: 'Read the change feed',
    description:
      'Every event of the tenant, for a consumer that was away or would rather ask than be called. Start without a cursor and go on with ' +
      '`meta.next_cursor` of the answer before; an empty `data` means that there is nothing new yet: ask again later with the cursor that ' +
      'came with it. The order never changes, no event is ever skipped, and events of one resource are in the order of its changes. ' +
      'Events are kept for 30 days unless the service is set up otherwise.',
  })
  @RequiresKey('events', 'read')
  @Parameters(
    ...pageParameters.filter(({ name }) => name === 'per_page'),
    {
      name: 'cursor',
      schema: { type: 'string' },
      allowEmptyValue: true,
      description:
        '`meta.next_cursor` of the answer before, with the same filter; empty or absent to start at the oldest event.',
    },
    { name: 'filter[type]', enum: EVENT_TYPES, description: 'Events of this type only.' },
  )
  @ApiExtraModels(EventDto, FeedMetaDto)
  @ApiOkResponse({
    description: 'What comes after the cursor.',
    schema: {
      type: 'object',
      required: ['data', 'meta'],
      properties: {
        data: { type: 'array', items: { $ref: getSchemaPath(EventDto) } },
        meta: { $ref: getSchemaPath(FeedMetaDto) },
      },
      additionalProperties: false,
    },
  })
  async read(@WithCaller() caller: Caller, @QueryString() query: Query): Promise<JsonText | JsonStream> {
    const type = readType(query['filter[type]']);
    const list = `events ${type ?? ''}`;
    const page = readPage({ ...query, cursor: query['cursor'] ?? '' }, list);
    if (isNumbered(page)) throw new Error('A page with a cursor has no number.');
    const { rows, meta, large } = await this.feed.read(caller, page, type, list);
    const present = (row: EventRow) => presentEvent(caller.tenantId, row);
    const records = rows.map((row) => (row.data === null ? row : present(row)));
    return listAnswer({ records, meta, large, present });
  }
}

function readType(value: string | string[] | undefined): EventType | undefined {
  if (value === undefined) return undefined;
  const type = EVENT_TYPES.find((known) => known === value);
  if (!type) throw Problem.parameter('filter[type]', `filter[type] must be one of ${EVENT_TYPES.join(', ')}.`);
  return type;
}
