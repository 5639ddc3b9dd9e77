import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** Somebody who has an entry open. */
export class PresentDto {
  @ApiProperty({ example: 'Ada Lovelace', description: 'The name of the member, as it is today, or of the key.' })
  name!: string;

  @ApiPropertyOptional({
    example: 'usr_01k9mzh6xze3n8mqsd5wkxp2zt',
    description: 'The member. Absent for a key.',
  })
  user_id?: string;

  @ApiProperty({ format: 'date-time', example: '2026-01-31T09:30:00.000Z' })
  since!: string;

  @ApiProperty({ description: 'Whether it is who sends this request.' })
  is_me!: boolean;
}
