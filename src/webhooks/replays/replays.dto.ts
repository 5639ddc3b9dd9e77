import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsDefined, IsString } from 'class-validator';
import { CheckedBy } from '../../http/bodies/dto.pipe.js';
import { DAY_AT_END, IsBound } from '../../lists/periods.js';
import { EVENT_TYPE } from '../../openapi/event-type.js';
import type { EventType } from '../../modules/module-manifest.js';
import { IfPresent } from '../../validation/if-present.js';
import { checkEventTypes } from '../subscriptions/subscribed-events.js';

const timestamp = { example: '2026-01-31T09:30:00.000Z' };

export class ReplayDto {
  @IsDefined({ message: 'from is required' })
  @IsString({ message: 'from must be a string' })
  @IsBound('from')
  @ApiProperty({
    ...timestamp,
    description: 'The earliest time of the events, or a day, which begins at midnight in UTC.',
  })
  from!: string;

  @IfPresent()
  @IsString({ message: 'to must be a string' })
  @IsBound('to')
  @ApiPropertyOptional({
    ...timestamp,
    description: `The latest time of the events. ${DAY_AT_END} The default is now.`,
  })
  to?: string;

  @IfPresent()
  @CheckedBy((value, path) => checkEventTypes(value, path))
  @ApiPropertyOptional({
    type: 'array',
    items: EVENT_TYPE,
    minItems: 1,
    uniqueItems: true,
    example: ['entry.published'],
    description: 'Only events of these types, among those of the webhook.',
  })
  types?: EventType[];

  @IfPresent()
  @IsBoolean({ message: 'dry_run must be a boolean' })
  @ApiPropertyOptional({ example: false, description: 'Only counts the events, and sends nothing.' })
  dry_run?: boolean;
}

export class ReplayedDto {
  @ApiProperty({ type: 'integer', example: 120, description: 'The number of events.' })
  count!: number;
}
