import { ApiProperty } from '@nestjs/swagger';

const time = { type: 'string', format: 'date-time' } as const;

/** A deletion of the values of a removed locale. */
export class LocalePurgeDto {
  @ApiProperty({ example: 'pur_01k9mzh6xze3n8mqsd5wkxp2zt' })
  id!: string;

  @ApiProperty({ description: 'The code of the locale.', example: 'de' })
  code!: string;

  @ApiProperty({ enum: ['running', 'done'] })
  state!: 'running' | 'done';

  @ApiProperty({ type: 'integer', description: 'How many entries have lost values until now.', example: 120 })
  entries!: number;

  @ApiProperty({ type: 'integer', description: 'How many drafts have.', example: 4 })
  drafts!: number;

  @ApiProperty({
    type: 'integer',
    description: 'How many versions have: those of the history, which are also the data of events.',
    example: 900,
  })
  versions!: number;

  @ApiProperty({ ...time, example: '2026-01-31T09:30:00.000Z' })
  created_at!: string;

  @ApiProperty({
    ...time,
    nullable: true,
    description: 'Null while it is running.',
    example: '2026-01-31T09:30:05.000Z',
  })
  finished_at!: string | null;
}
