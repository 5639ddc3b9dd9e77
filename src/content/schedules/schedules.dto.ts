import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { IsString, ValidateBy } from 'class-validator';
import { ProblemDto } from '../../errors/problem.dto.js';
import { timestampOf } from '../../fields/formats/calendar.js';
import { CheckedBy } from '../../http/bodies/dto.pipe.js';
import { UpdateOf } from '../../http/bodies/read-only.js';
import { IfPresent } from '../../validation/if-present.js';
import { checkScheduledLocales, MAX_SCHEDULED } from './scheduled-locales.js';

/** Accepts RFC 3339 with seconds and an offset. */
function IsTimestamp(name: string): PropertyDecorator {
  const validate = (value: unknown) => typeof value === 'string' && timestampOf(value) !== undefined;
  const defaultMessage = () => `${name} must be a date and time with an offset, such as 2030-01-31T09:30:00+01:00`;
  return ValidateBy({ name: 'isIso8601', validator: { validate, defaultMessage } });
}

@UpdateOf(() => [ScheduleDto])
export class PutScheduleDto {
  @IfPresent()
  @IsString({ message: 'publish_at must be a string' })
  @IsTimestamp('publish_at')
  @ApiPropertyOptional({
    format: 'date-time',
    description: 'When the entry is published, with its draft if there is one. RFC 3339, in the future.',
    example: '2030-01-31T09:30:00+01:00',
  })
  publish_at?: string;

  @IfPresent()
  @IsString({ message: 'unpublish_at must be a string' })
  @IsTimestamp('unpublish_at')
  @ApiPropertyOptional({
    format: 'date-time',
    description:
      'When the status of the entry is set to `draft`. RFC 3339, in the future, another time than `publish_at`.',
    example: '2030-02-28T18:00:00+01:00',
  })
  unpublish_at?: string;

  @IfPresent()
  @CheckedBy(checkScheduledLocales)
  @ApiPropertyOptional({
    type: [String],
    minItems: 1,
    maxItems: MAX_SCHEDULED,
    uniqueItems: true,
    example: ['de'],
    description:
      'Only these locales: at `publish_at` their values become live, as with `locale` of the publication of a draft, and at `unpublish_at` they are ' +
      'taken off. The default locale cannot be taken off, so that it cannot be among them with `unpublish_at`. Without it, the whole entry.',
  })
  locales?: string[];
}

/** For the OpenAPI document: a problem that no request had. */
class ScheduleProblemDto extends OmitType(ProblemDto, ['request_id']) {}

export class ScheduleDto {
  @ApiProperty({ example: 'ent_01k9mzh6xze3n8mqsd5wkxp2zt' })
  entry_id!: string;

  @ApiProperty({ example: 'ct_01k9mzh6xze3n8mqsd5wkxp2zt' })
  content_type_id!: string;

  @ApiPropertyOptional({ format: 'date-time', example: '2030-01-31T08:30:00.000Z' })
  publish_at?: string;

  @ApiPropertyOptional({ format: 'date-time', example: '2030-02-28T17:00:00.000Z' })
  unpublish_at?: string;

  @ApiPropertyOptional({
    type: [String],
    example: ['de'],
    description: 'The locales that are published and taken off. Absent if it is the whole entry.',
  })
  locales?: string[];

  @ApiProperty({ enum: ['pending', 'failed'], example: 'pending' })
  state!: 'pending' | 'failed';

  @ApiPropertyOptional({
    type: ScheduleProblemDto,
    description:
      'Why the earlier time could not be carried out. Only if `state` is `failed`. At most 100 `errors` are listed.',
  })
  problem?: ScheduleProblemDto;
}
