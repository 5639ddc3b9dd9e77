import { ApiProperty } from '@nestjs/swagger';
import { IsDefined } from 'class-validator';

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
    description:
      'Values by field name. All values are strings. The value of a required field must not be blank. An empty ' +
      'string in an optional field counts as not supplied.',
  })
  fields!: Record<string, string>;
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
