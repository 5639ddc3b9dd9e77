import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequiresKey, WithCaller } from '../../access/access.js';
import type { Caller } from '../../http/caller.js';
import { JsonBody } from '../../http/bodies/json-body.decorator.js';
import { DataResponse } from '../../http/responses/responses.js';
import { IdParam } from '../../ids/id-param.js';
import { formatId } from '../../ids/type-id.js';
import { CreateErasureDto, ErasureDto } from './erasures.dto.js';
import type { ErasureRow } from './erasures.sql.js';
import { ErasuresService } from './erasures.service.js';

/** No request to a form has one of these methods and paths, so a form may have the slug `erasures`. */
@ApiTags('Erasures')
@Controller('v1/forms/:tenant_id/erasures')
export class ErasuresController {
  constructor(private readonly erasures: ErasuresService) {}

  @Post()
  @HttpCode(202)
  @ApiOperation({
    summary: 'Erase an address',
    description:
      'Permanently deletes every submission to any form of the tenant with the address in an `email` field, also spam, and also in a field that ' +
      'the form no longer has. With it go its files, the emails about it, the data of its events (which stay in the feed with `data: null`), ' +
      'and what deliveries of the events hold. Pending emails and deliveries are canceled. Text in other fields is not searched. The ' +
      'address is not stored. It takes about a minute. Emits `submission.deleted` for each submission.',
  })
  @RequiresKey('forms', 'write')
  @DataResponse(ErasureDto, 202)
  async request(
    @WithCaller() caller: Caller,
    @JsonBody(CreateErasureDto) { email }: CreateErasureDto,
  ): Promise<{ data: ErasureDto }> {
    return { data: presentErasure(await this.erasures.request(caller, email)) };
  }

  @Get(':erasure_id')
  @ApiOperation({
    summary: 'Get an erasure',
    description: 'Returns how far the erasure is, without its address. It is forgotten 30 days after it is done.',
  })
  @RequiresKey('forms', 'read')
  @DataResponse(ErasureDto)
  async get(
    @WithCaller() caller: Caller,
    @IdParam('erasure_id', 'era', 'erasure') id: string,
  ): Promise<{ data: ErasureDto }> {
    return { data: presentErasure(await this.erasures.get(caller, id)) };
  }
}

function presentErasure({ id, requestedAt, doneAt, ...numbers }: ErasureRow): ErasureDto {
  const { submissions, files, mails, deliveries } = numbers;
  return {
    id: formatId('era', id),
    state: doneAt === null ? 'pending' : 'done',
    ...{ submissions, files, mails, deliveries },
    requested_at: requestedAt,
    done_at: doneAt,
  };
}
