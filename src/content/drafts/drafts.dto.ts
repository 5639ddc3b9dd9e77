import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { Allow, IsInt, IsString, Max, MaxLength, Min } from 'class-validator';
import { UpdateOf } from '../../http/bodies/read-only.js';
import { InLocaleDto } from '../locales/locale.dto.js';
import { IfPresent } from '../../validation/if-present.js';

const MAX_NOTE = 2_000;
const NOTE = { maxLength: MAX_NOTE, example: 'The second half is new.' };

const EXPIRES_IN = { minimum: 60, maximum: 604_800 } as const;

@UpdateOf(() => [DraftDto])
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

class ReviewDto {
  @ApiPropertyOptional({
    example: 'Website',
    description: 'Who asked for it, as the history of an entry shows it: the name of the API key.',
  })
  by?: string;

  @ApiProperty({ format: 'date-time', example: '2026-01-31T09:45:00.000Z', description: 'When it was asked for.' })
  at!: string;

  @ApiPropertyOptional({ ...NOTE, description: 'What the reviewer should know.' })
  note?: string;
}

@UpdateOf(() => [ReviewDto])
export class AskForReviewDto {
  @IfPresent()
  @IsString({ message: 'note must be a string' })
  @MaxLength(MAX_NOTE, { message: `note must have at most ${MAX_NOTE} characters` })
  @ApiPropertyOptional({ ...NOTE, description: 'What the reviewer should know.' })
  note?: string;
}

export class DraftDto extends InLocaleDto {
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

  @ApiPropertyOptional({ type: ReviewDto, description: 'Only if the draft waits for review.' })
  review?: ReviewDto;
}

class RequestedReviewDto extends OmitType(ReviewDto, ['by']) {}

/** The data of `entry.review_requested`: without who asked for the review. */
export class ReviewRequestedDto extends OmitType(DraftDto, ['review', 'locale', 'fallbacks'] as const) {
  @ApiProperty({ type: RequestedReviewDto })
  review!: RequestedReviewDto;

  @ApiPropertyOptional({
    type: [String],
    description:
      'Only of content types with localized fields: the locales of which the draft has values. Those of an entry without a draft that was never ' +
      'published are all that it would show.',
    example: ['de'],
  })
  locales_changed?: string[];
}

export class CreatePreviewLinkDto {
  @IfPresent()
  @IsInt({ message: 'expires_in must be an integer, in seconds' })
  @Min(EXPIRES_IN.minimum, { message: `expires_in must be at least ${EXPIRES_IN.minimum}` })
  @Max(EXPIRES_IN.maximum, { message: `expires_in must be at most ${EXPIRES_IN.maximum}` })
  @ApiPropertyOptional({
    type: 'integer',
    ...EXPIRES_IN,
    default: 3_600,
    description: 'How many seconds the link is valid.',
    example: 3_600,
  })
  expires_in?: number;
}

export class PreviewLinkDto {
  @ApiProperty({
    format: 'uri',
    example:
      'https://cms.example.com/v1/preview/AWk1lLQAAAAAAZr0fEQdfI6iGjtkz1h_AZr0fEQdfI6iGjtkz1iAdGVuX2RlbW-0fEQdfI6iGjtkz1h_AZr0',
    description: 'Everybody who has this URL can read the entry with its draft, without an API key.',
  })
  url!: string;

  @ApiProperty({ format: 'date-time', example: '2026-01-31T10:30:00.000Z' })
  expires_at!: string;
}
