import { ApiProperty, ApiPropertyOptional, IntersectionType, PartialType } from '@nestjs/swagger';
import { IsIn, IsString, MaxLength, ValidateIf } from 'class-validator';
import { UpdateOf } from '../../http/bodies/read-only.js';
import { IfPresent } from '../../validation/if-present.js';
import { SubmissionDto } from '../submissions/submissions.dto.js';

export const STATES = ['new', 'read', 'done'] as const;
export type State = (typeof STATES)[number];

const MAX_NOTE = 2_000;

const NOTE = { type: 'string' as const, maxLength: MAX_NOTE, nullable: true, example: 'Answered by telephone.' };

@UpdateOf(() => [FullSubmissionDto])
export class UpdateSubmissionDto {
  @IfPresent()
  @IsIn(STATES, { message: `state must be one of ${STATES.join(', ')}` })
  @ApiPropertyOptional({ enum: STATES, example: 'done', description: 'What has been done about the submission.' })
  state?: State;

  @IfPresent()
  @ValidateIf((_object, value) => value !== null)
  @IsString({ message: 'note must be a string or null' })
  @MaxLength(MAX_NOTE, { message: `note must have at most ${MAX_NOTE} characters` })
  @ApiPropertyOptional({ ...NOTE, description: 'A note for those who read the submissions. `null` removes it.' })
  note?: string | null;
}

/** A file of a submission. */
export class SubmissionFileDto {
  @ApiProperty({ example: 'fil_01k9mzh6xze3n8mqsd5wkxp2zt' })
  id!: string;

  @ApiProperty({ example: 'resume', description: 'The field that it was sent in.' })
  field!: string;

  @ApiProperty({ example: 'resume.pdf' })
  name!: string;

  @ApiProperty({ example: 'application/pdf' })
  mime_type!: string;

  @ApiProperty({ type: 'integer', minimum: 0, example: 48_213, description: 'In bytes.' })
  size!: number;
}

class FullProperties {
  @ApiProperty({ enum: ['ok', 'spam'], example: 'ok' })
  verdict!: string;

  @ApiProperty({ type: [String], example: [], description: 'Why it was taken for spam. They stay after a release.' })
  reasons!: string[];

  @ApiProperty({ enum: STATES, example: 'new' })
  state!: State;

  @ApiProperty(NOTE)
  note!: string | null;

  @ApiProperty({ type: [SubmissionFileDto], example: [] })
  files!: SubmissionFileDto[];

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'https://www.acme.example',
    description: 'The origin of the page that the submission was sent from.',
  })
  origin!: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'en-GB',
    description: 'The first language of the visitor’s browser.',
  })
  locale!: string | null;
}

/** A submission in the full view. */
export class FullSubmissionDto extends IntersectionType(SubmissionDto, FullProperties) {}

/** A submission in a list, which has the other properties only with `view=full`. */
export class ListedSubmissionDto extends IntersectionType(SubmissionDto, PartialType(FullProperties)) {}
