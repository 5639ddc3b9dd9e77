import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { PROBLEMS } from './problem.js';

/** For the API's document: one wrong value. */
export class ValueErrorDto {
  @ApiProperty({ description: 'Dotted path of the value.', example: 'fields.title' })
  path!: string;

  @ApiProperty({ description: 'Stable code of what is wrong with it.', example: 'required' })
  code!: string;

  @ApiProperty({ example: 'title is required.' })
  message!: string;
}

/** For the API's document: problem details after RFC 9457. */
export class ProblemDto {
  @ApiProperty({
    description: 'A page of this service that explains the code.',
    example: '/problems/validation_failed',
  })
  type!: string;

  @ApiProperty({ example: 'Validation failed' })
  title!: string;

  @ApiProperty({ type: 'integer', example: 422 })
  status!: number;

  @ApiProperty({ enum: Object.keys(PROBLEMS), example: 'validation_failed' })
  code!: string;

  @ApiProperty({ example: '1 value is not valid.' })
  detail!: string;

  @ApiPropertyOptional({ type: [ValueErrorDto], description: 'Every wrong value, not just the first.' })
  errors?: ValueErrorDto[];

  @ApiProperty({ description: 'Also in the header X-Request-Id; the log has the cause under it.', example: '0b2c…' })
  request_id!: string;
}
