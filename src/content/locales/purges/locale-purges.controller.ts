import { Controller, Delete, Get, Param, Query as QueryString } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { RequiresKey, WithCaller } from '../../../access/access.js';
import { ProblemResponses } from '../../../errors/problem-responses.js';
import { Problem } from '../../../errors/problem.js';
import type { Caller } from '../../../http/caller.js';
import { JsonText } from '../../../http/http-adapter.js';
import { Parameters, readFlag } from '../../../http/parameters.js';
import type { Query } from '../../../http/query.js';
import { DataResponse } from '../../../http/responses/responses.js';
import { IdParam } from '../../../ids/id-param.js';
import { formatId } from '../../../ids/type-id.js';
import { canonicalLocale } from '../../../validation/locales.js';
import { LocalePurgeDto } from './locale-purges.dto.js';
import { LocalePurges } from './locale-purges.service.js';
import type { PurgeRow } from './locale-purges.sql.js';

@ApiTags('Locales')
@Controller('v1/locales/:tenant_id')
export class LocalePurgesController {
  constructor(private readonly purges: LocalePurges) {}

  @Delete(':code')
  @ApiOperation({
    summary: 'Delete the values of a removed locale',
    description:
      'Deletes them for good, from entries, drafts, versions and the data of events. This cannot be undone. A worker does so; until it has, the locale ' +
      'cannot be set again. A locale in the list is 409: remove it first. If a purge of the locale is running, the answer is that one.',
  })
  @RequiresKey('content', 'write')
  @ApiParam({ name: 'code', description: 'The code of the locale.', schema: { type: 'string', example: 'de' } })
  @Parameters({
    name: 'purge',
    required: true,
    schema: { type: 'boolean', enum: [true] },
    description: 'Must be `true`.',
  })
  @DataResponse(LocalePurgeDto, 202)
  @ProblemResponses('conflict', 'not_found')
  async purgeLocale(
    @WithCaller() caller: Caller,
    @Param('code') code: string,
    @QueryString() query: Query,
  ): Promise<JsonText> {
    if (canonicalLocale(code) !== code) throw Problem.notFound('locale');
    if (readFlag(query, 'purge') !== true)
      throw Problem.parameter('purge', 'purge must be true: the values of the locale are deleted for good.');
    const purge = await this.purges.begin(caller, code);
    const location = `/v1/locales/${caller.tenantId}/purges/${formatId('pur', purge.id)}`;
    return new JsonText(presented(purge), { Location: location }, 202);
  }

  @Get('purges/:purge_id')
  @ApiOperation({
    summary: 'Get a purge of a locale',
    description: 'Shows how much was deleted until now. A finished purge is kept for a week.',
  })
  @RequiresKey('content', 'read', { isUnpublished: true })
  @DataResponse(LocalePurgeDto)
  async getPurge(@WithCaller() caller: Caller, @IdParam('purge_id', 'pur', 'purge') id: string): Promise<JsonText> {
    return new JsonText(presented(await this.purges.get(caller, id)));
  }
}

function presented({ id, code, entries, drafts, versions, createdAt, finishedAt }: PurgeRow): string {
  const state = finishedAt === null ? 'running' : 'done';
  const counts = { entries, drafts, versions };
  const times = { created_at: createdAt, finished_at: finishedAt };
  return JSON.stringify({ data: { id: formatId('pur', id), code, state, ...counts, ...times } });
}
