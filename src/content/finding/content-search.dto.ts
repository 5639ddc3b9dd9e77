import { ApiProperty } from '@nestjs/swagger';
import { ENTRY_STATUSES } from '../entries/entries.dto.js';
import type { EntryStatus } from '../entries/entry.entity.js';

/** An entry that a search over all content types found. */
export class FoundEntryDto {
  @ApiProperty({ example: 'ent_01k9mzh6xze3n8mqsd5wkxp2zt' })
  id!: string;

  @ApiProperty({ example: 'ct_01k9mzh6xze3n8mqsd5wkxp2zt', description: 'The content type that the entry belongs to.' })
  content_type_id!: string;

  @ApiProperty({ enum: ENTRY_STATUSES })
  status!: EntryStatus;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The first 200 characters of the value of the first `text` field. Null if there is none.',
    example: 'Spring tides',
  })
  title!: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'array', items: { type: 'string' } },
    description: 'Where the entry matches, by field: fragments of HTML. Empty for an entry of 64 KiB or more.',
    example: { title: ['<mark>Spring</mark> tides'] },
  })
  highlights!: Record<string, string[]>;

  @ApiProperty({ format: 'date-time', example: '2026-01-31T09:30:00.000Z' })
  updated_at!: string;
}
