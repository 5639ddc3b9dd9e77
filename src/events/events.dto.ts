import { ApiProperty } from '@nestjs/swagger';
import { EVENT_TYPE } from '../openapi/event-type.js';
import type { EventType } from '../modules/module-manifest.js';

/** An event in the feed. The body of a delivery is the same. */
export class EventDto {
  @ApiProperty({ example: 'evt_01k9mzh6xze3n8mqsd5wkxp2zt' })
  id!: string;

  @ApiProperty({ allOf: [EVENT_TYPE], example: 'entry.published' })
  type!: EventType;

  @ApiProperty({ format: 'date-time', example: '2026-01-31T09:30:00.000Z' })
  timestamp!: string;

  @ApiProperty({ example: 'ten_demo' })
  tenant_id!: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      'The resource as its get endpoint (for a submission: its list) returned it at that time. For a deletion, ' +
      'the last state of the resource. `null` for the event of a submission that was deleted since.',
    nullable: true,
    example: {
      id: 'ent_01k9mzh6xze3n8mqsd5wkxp2zt',
      content_type_id: 'ct_01k9mzh6xze3n8mqsd5wkxp2zt',
      fields: { title: 'Hello' },
      status: 'published',
      created_at: '2026-01-31T09:30:00.000Z',
      updated_at: '2026-01-31T09:30:00.000Z',
    },
  })
  data!: Record<string, unknown> | null;
}

/** The `meta` of a page of the feed. */
export class FeedMetaDto {
  @ApiProperty({ type: 'integer', example: 25 })
  per_page!: number;

  @ApiProperty({
    description:
      'The cursor for the next request, also when there are no more events yet. It is never `null` because the ' +
      'feed has no end.',
  })
  next_cursor!: string;
}

/** A type of event with the schema of its body. */
class EventTypeDescriptionDto {
  @ApiProperty({ allOf: [EVENT_TYPE], example: 'entry.published' })
  type!: EventType;

  @ApiProperty({ example: 'An entry was published.' })
  description!: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'JSON Schema 2020-12 of the whole body. It refers to nothing outside of itself.',
    example: { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' },
  })
  schema!: object;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'A body that matches the schema.',
    example: { id: 'evt_01k9mzh6xze3n8mqsd5wkxp2zt', type: 'entry.published' },
  })
  example!: object;
}

export class EventTypesDto {
  @ApiProperty({ type: [EventTypeDescriptionDto] })
  data!: EventTypeDescriptionDto[];
}
