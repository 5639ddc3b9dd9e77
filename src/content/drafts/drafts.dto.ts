import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Allow } from 'class-validator';

export class SaveDraftDto {
  @Allow()
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description:
      'Only the fields to change in the draft. A `null` removes a value. A media value may contain `id` instead of `url`.',
    example: { title: 'How to brew better coffee' },
  })
  fields?: Record<string, unknown>;
}

export class DraftDto {
  @ApiProperty({ example: 'ent_01k9mzh6xze3n8mqsd5wkxp2zt', description: 'The ID of the entry.' })
  id!: string;

  @ApiProperty({ example: 'ct_01k9mzh6xze3n8mqsd5wkxp2zt', description: 'The content type that the entry belongs to.' })
  content_type_id!: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The live values with the values of the draft on top: what publishing makes live.',
    example: { title: 'How to brew better coffee', body: '<p>Start with <strong>fresh</strong> beans.</p>' },
  })
  fields!: Record<string, unknown>;

  @ApiProperty({
    type: [String],
    description:
      "The names of the draft's own fields: those that were sent, also if the value equals the live one. A removed value is " +
      'listed here and missing from `fields`.',
    example: ['title'],
  })
  changed!: string[];

  @ApiProperty({ type: 'integer', example: 3, description: 'The version of the entry when the draft was made.' })
  base_version!: number;

  @ApiProperty({ format: 'date-time', example: '2026-01-31T09:30:00.000Z' })
  created_at!: string;

  @ApiProperty({ format: 'date-time', example: '2026-01-31T09:30:00.000Z' })
  updated_at!: string;
}
