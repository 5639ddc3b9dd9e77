import { ApiProperty } from '@nestjs/swagger';

const timestamp = {
  type: 'string' as const,
  format: 'date-time',
  nullable: true,
  example: '2026-01-31T09:30:00.000Z',
};
const milliseconds = { type: 'integer' as const, nullable: true, example: 84 };

export class WebhookStatsDto {
  @ApiProperty({ type: 'integer', example: 1240, description: 'Deliveries that succeeded in this time.' })
  delivered!: number;

  @ApiProperty({ type: 'integer', example: 2, description: 'Deliveries that failed in this time.' })
  failed!: number;

  @ApiProperty({ type: 'integer', example: 3, description: 'Deliveries that are pending now.' })
  pending!: number;

  @ApiProperty({
    ...milliseconds,
    description: 'Half of the attempts took at most this long. `null` without attempts.',
  })
  p50_ms!: number | null;

  @ApiProperty({ ...milliseconds, example: 310, description: '95 of 100 attempts took at most this long.' })
  p95_ms!: number | null;

  @ApiProperty(timestamp)
  last_success_at!: string | null;

  @ApiProperty({ ...timestamp, example: null, description: 'The last failed attempt, to the minute.' })
  last_failure_at!: string | null;

  @ApiProperty({ ...timestamp, example: null, description: 'The first failure since the last success.' })
  failing_since!: string | null;
}
