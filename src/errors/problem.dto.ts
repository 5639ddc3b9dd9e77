import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { PROBLEMS } from './problem.js';

/** For the OpenAPI document: one invalid value. */
class ValueErrorDto {
  @ApiProperty({ description: 'The dotted path of the invalid value.', example: 'fields.title' })
  path!: string;

  @ApiProperty({ description: 'A stable code that identifies the error.', example: 'required' })
  code!: string;

  @ApiProperty({ example: 'title is required.' })
  message!: string;
}

/** For the OpenAPI document: problem details (RFC 9457). */
export class ProblemDto {
  @ApiProperty({
    description: 'The path of a page of this service that explains the code.',
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

  @ApiPropertyOptional({
    description: 'The name of the limit that is reached (`limit_reached`), or `requests_per_minute` (`rate_limited`).',
    example: 'entries',
  })
  limit?: string;

  @ApiPropertyOptional({ type: 'integer', description: 'How much the limit allows.', example: 1000 })
  maximum?: number;

  @ApiPropertyOptional({
    type: 'integer',
    description: 'How much there is. Only with an API key, as `maximum` of `limit_reached`.',
    example: 999,
  })
  used?: number;

  @ApiPropertyOptional({ type: [ValueErrorDto], description: 'All invalid values, not only the first one.' })
  errors?: ValueErrorDto[];

  @ApiProperty({
    description:
      'The ID of the request. The header `X-Request-Id` contains it too. The log contains the cause of the ' +
      'error under this ID.',
    example: '0b2c…',
  })
  request_id!: string;
}
