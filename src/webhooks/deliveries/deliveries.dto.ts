import { ApiProperty } from '@nestjs/swagger';
import { IsDefined, IsString } from 'class-validator';
import { DELIVERABLE_TYPE, type DeliverableType, DELIVERY_STATUSES, type DeliveryStatus } from './delivery-status.js';
import { IsBound } from '../../lists/periods.js';

const timestamp = { format: 'date-time', example: '2026-01-31T09:30:00.000Z' };

class AttemptDto {
  @ApiProperty(timestamp)
  attempted_at!: string;

  @ApiProperty({ type: 'integer', example: 84 })
  duration_ms!: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: 503,
    description: 'The HTTP status of the response. It is `null` when no response arrived.',
  })
  status!: number | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: null,
    description: 'The reason why there is no complete response. It is `null` when the response was complete.',
  })
  error!: string | null;

  @ApiProperty({ example: 'try later', description: 'The first KiB of the response.' })
  response!: string;
}

export class DeliveryDto {
  @ApiProperty({ example: 'dlv_01k9mzh6xze3n8mqsd5wkxp2zt' })
  id!: string;

  @ApiProperty({ example: 'wh_01k9mzh6xze3n8mqsd5wkxp2zt' })
  webhook_id!: string;

  @ApiProperty({
    example: 'evt_01k9mzh6xze3n8mqsd5wkxp2zt',
    description: 'The ID of the event. Every attempt sends it as `webhook-id`.',
  })
  event_id!: string;

  @ApiProperty({ ...DELIVERABLE_TYPE, example: 'entry.published' })
  event_type!: DeliverableType;

  @ApiProperty({
    enum: [...DELIVERY_STATUSES],
    example: 'pending',
    description:
      '`failed`: the last attempt of the schedule failed, the receiver returned 410, or the event is no longer stored. `canceled`: the webhook became inactive before the ' +
      'delivery was complete.',
  })
  status!: DeliveryStatus;

  @ApiProperty(timestamp)
  created_at!: string;

  @ApiProperty({
    ...timestamp,
    type: 'string',
    nullable: true,
    description:
      'The time of the next attempt. It is `null` when no further attempt will be made, and while a delivery to an ordered webhook waits for an earlier one.',
  })
  next_attempt_at!: string | null;

  @ApiProperty({ ...timestamp, type: 'string', nullable: true, example: null })
  finished_at!: string | null;

  @ApiProperty({ type: [AttemptDto], description: 'The attempts, latest first. At most 50 are listed.' })
  attempts!: AttemptDto[];
}

export class RedeliverDto {
  @IsDefined({ message: 'since is required' })
  @IsString({ message: 'since must be a string' })
  @IsBound('since')
  @ApiProperty({
    example: timestamp.example,
    description: 'The earliest time of the failures that are sent again, or a day, which begins at midnight in UTC.',
  })
  since!: string;
}

export class RedeliveredDto {
  @ApiProperty({ type: 'integer', example: 12, description: 'The number of deliveries that are sent again.' })
  count!: number;
}
