import { ApiProperty } from '@nestjs/swagger';
import { IsDefined } from 'class-validator';
import { checkEmail, MAX_EMAIL } from '../../fields/formats/email.js';
import { CheckedBy } from '../../http/bodies/dto.pipe.js';

export class CreateErasureDto {
  @IsDefined({ message: 'email is required' })
  @CheckedBy(checkEmail)
  @ApiProperty({
    format: 'email',
    maxLength: MAX_EMAIL,
    example: 'ada@example.com',
    description:
      'The address whose submissions are deleted. All spellings of it count: its case does not matter, nor whether its domain is written as `xn--…`.',
  })
  email!: string;
}

const count = (example: number, description: string) => ({
  type: 'integer' as const,
  minimum: 0,
  example,
  description,
});

/** An erasure. It does not contain the address. */
export class ErasureDto {
  @ApiProperty({ example: 'era_01k9mzh6xze3n8mqsd5wkxp2zt' })
  id!: string;

  @ApiProperty({ enum: ['pending', 'done'], example: 'pending' })
  state!: 'pending' | 'done';

  @ApiProperty(count(3, 'The number of submissions that were deleted so far.'))
  submissions!: number;

  @ApiProperty(count(0, 'The number of their files.'))
  files!: number;

  @ApiProperty(count(3, 'The number of emails about them that were removed.'))
  mails!: number;

  @ApiProperty(count(6, 'The number of deliveries of their events that were emptied.'))
  deliveries!: number;

  @ApiProperty({ format: 'date-time', example: '2026-01-31T09:30:00.000Z' })
  requested_at!: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: null })
  done_at!: string | null;
}
