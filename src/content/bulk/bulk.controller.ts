import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequiresKey, WithCaller } from '../../access/access.js';
import { ProblemResponses } from '../../errors/problem-responses.js';
import type { Caller } from '../../http/caller.js';
import type { CheckedBody } from '../../http/bodies/dto.pipe.js';
import { JsonBodyWithValues } from '../../http/bodies/json-body.decorator.js';
import { Parameters } from '../../http/parameters.js';
import { type Shape, shapeParameter, WithShape } from '../reading/shape.js';
import { BulkDto, BulkResponseDto, MAX_BULK_BYTES } from './bulk.dto.js';
import { BulkService } from './bulk.service.js';

@ApiTags('Bulk')
@Controller('v1/content/:tenant_id/bulk')
export class BulkController {
  constructor(private readonly bulk: BulkService) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Change many entries',
    description:
      'Runs up to 1,000 operations on entries of any content types, in a body of up to 8 MiB. Each operation is checked, emits events and ' +
      'makes a version as its own request does. If an atomic request fails, the response has the status of the first operation that ' +
      'failed, and the errors of all: their paths begin with `operations.` and the position, from 0.',
  })
  @RequiresKey('content', 'draft', { keepsToTypes: true })
  @Parameters(shapeParameter)
  @ApiOkResponse({ description: 'The request succeeded.', type: BulkResponseDto })
  @ProblemResponses('limit_reached', 'not_found', 'precondition_failed', 'payload_too_large')
  changeEntries(
    @WithCaller() caller: Caller,
    @JsonBodyWithValues(BulkDto, MAX_BULK_BYTES) body: CheckedBody<BulkDto>,
    @WithShape() shape: Shape,
  ): Promise<BulkResponseDto> {
    return this.bulk.run(caller, body, shape);
  }
}
