import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

const count = { type: 'integer' as const, minimum: 0 };

/** The limits that the configuration sets. Without a property, there is no limit. */
class LimitsDto {
  @ApiPropertyOptional({ ...count, example: 10000 })
  entries?: number;

  @ApiPropertyOptional({ ...count, example: 50000 })
  submissions?: number;

  @ApiPropertyOptional({ ...count, example: 10737418240 })
  media_bytes?: number;

  @ApiPropertyOptional({ ...count, example: 50 })
  content_types?: number;

  @ApiPropertyOptional({ ...count, example: 10 })
  webhooks?: number;

  @ApiPropertyOptional({ ...count, example: 20 })
  users?: number;

  @ApiPropertyOptional({
    ...count,
    minimum: 1,
    example: 6000,
    description: 'Requests with any of the keys of the tenant.',
  })
  requests_per_minute?: number;
}

export class UsageDto {
  @ApiProperty({ ...count, example: 1240 })
  entries!: number;

  @ApiProperty({ ...count, example: 310, description: 'Submissions that are stored, including spam.' })
  submissions!: number;

  @ApiProperty({ ...count, example: 73400320, description: 'The bytes of all media files, without image variants.' })
  media_bytes!: number;

  @ApiProperty({ ...count, example: 7 })
  content_types!: number;

  @ApiProperty({ ...count, example: 2 })
  forms!: number;

  @ApiProperty({ ...count, example: 1 })
  webhooks!: number;

  @ApiProperty({ ...count, example: 3, description: 'Members, and those who are invited.' })
  users!: number;

  @ApiProperty({
    ...count,
    example: 860,
    description: 'Deliveries that succeeded or failed for good in this hour (UTC) and the 23 hours before it.',
  })
  deliveries_24h!: number;

  @ApiProperty({ type: LimitsDto })
  limits!: LimitsDto;
}

/** What happened on a day. */
export class UsageDayDto {
  @ApiProperty({ format: 'date', example: '2026-01-31' })
  date!: string;

  @ApiProperty({ ...count, example: 12, description: 'Entries that were created.' })
  entries!: number;

  @ApiProperty({
    ...count,
    example: 41,
    description:
      'Changes of entries: each one that was created, updated, published, unpublished or deleted counts once. Saved drafts do not count.',
  })
  entries_changed!: number;

  @ApiProperty({
    ...count,
    example: 34,
    description: 'Submissions that were accepted. Spam counts when it is released.',
  })
  submissions!: number;

  @ApiProperty({
    ...count,
    example: 9,
    description: 'Submissions that arrived on this day and are spam. Those of deleted forms do not count.',
  })
  spam!: number;

  @ApiProperty({ ...count, example: 56, description: 'Deliveries that succeeded or failed for good.' })
  deliveries!: number;

  @ApiProperty({ ...count, example: 2, description: 'Those of `deliveries` that failed for good.' })
  failed_deliveries!: number;
}
