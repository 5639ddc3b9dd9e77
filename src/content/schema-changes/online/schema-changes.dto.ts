import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { ProblemDto } from '../../../errors/problem.dto.js';

const STATES = ['running', 'done', 'failed'] as const;

class SchemaChangeProblemDto extends OmitType(ProblemDto, ['request_id']) {}

/** A change of a content type that takes long. */
export class SchemaChangeDto {
  @ApiProperty({ example: 'chg_01k9mzh6xze3n8mqsd5wkxp2zt' })
  id!: string;

  @ApiProperty({ enum: STATES })
  state!: (typeof STATES)[number];

  @ApiProperty({ type: 'integer', description: 'The number of entries that were looked at.', example: 120_000 })
  processed!: number;

  @ApiProperty({
    type: 'integer',
    description: 'The number of entries of the content type when the change began.',
    example: 1_000_000,
  })
  total!: number;

  @ApiPropertyOptional({
    description: 'Only when it failed: what the update would have returned. Nothing was changed.',
  })
  problem?: SchemaChangeProblemDto;
}
