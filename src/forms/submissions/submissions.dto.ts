import { ApiProperty } from '@nestjs/swagger';
import { IsDefined } from 'class-validator';
import type { ValueError } from '../../errors/problem.js';
import { checkItems, CheckedBy } from '../../http/bodies/dto.pipe.js';

const VALUES = {
  type: 'object' as const,
  additionalProperties: { type: 'string' as const },
  example: {
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    topic: 'Press',
    message: 'Hello,\nmay I print your picture of the engine?',
  },
};

export class CreateSubmissionDto {
  @IsDefined({ message: 'fields is required' })
  @ApiProperty({
    ...VALUES,
    additionalProperties: { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
    description:
      'Values by field name. All values are strings; the value of a `select` with `multiple` may also be a list of strings. The value of a required field must not be blank. An empty ' +
      'string in an optional field counts as not supplied.',
  })
  fields!: Record<string, unknown>;
}

const MAX_IDS = 1_000;
const ID_PATTERN = /^sub_[0-9a-z]{26}$/;

export class DeleteSubmissionsDto {
  @IsDefined({ message: 'ids is required' })
  @CheckedBy((value, path) => checkItems(value, path, { max: MAX_IDS }, checkId))
  @ApiProperty({
    type: 'array',
    minItems: 1,
    maxItems: MAX_IDS,
    items: { type: 'string', pattern: ID_PATTERN.source },
    example: ['sub_01k9mzh6xze3n8mqsd5wkxp2zt'],
    description: 'The submissions to delete. Those that do not exist are left out.',
  })
  ids!: string[];
}

function checkId(value: unknown, path: string): ValueError[] {
  if (typeof value === 'string' && ID_PATTERN.test(value)) return [];
  const code = typeof value === 'string' ? 'format' : 'type';
  return [{ path, code, message: `${path} must be the ID of a submission.` }];
}

/** A submission in every response. */
export class SubmissionDto {
  @ApiProperty({ example: 'sub_01k9mzh6xze3n8mqsd5wkxp2zt' })
  id!: string;

  @ApiProperty({ example: 'frm_01k9mzh6xze3n8mqsd5wkxp2zt', description: 'The form that the submission belongs to.' })
  form_id!: string;

  @ApiProperty({ ...VALUES, description: 'The submitted values by field name.' })
  fields!: Record<string, string>;

  @ApiProperty({ format: 'date-time', example: '2026-01-31T09:30:00.000Z' })
  created_at!: string;
}

/** What is left of a deleted submission. */
export class DeletedSubmissionDto {
  @ApiProperty({ example: 'sub_01k9mzh6xze3n8mqsd5wkxp2zt' })
  id!: string;

  @ApiProperty({ example: 'frm_01k9mzh6xze3n8mqsd5wkxp2zt', description: 'The form that the submission belonged to.' })
  form_id!: string;
}
