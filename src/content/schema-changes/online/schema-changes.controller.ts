import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequiresKey, WithCaller } from '../../../access/access.js';
import type { Caller } from '../../../http/caller.js';
import { JsonText } from '../../../http/http-adapter.js';
import { DataResponse } from '../../../http/responses/responses.js';
import { formatId } from '../../../ids/type-id.js';
import { IdParam } from '../../../ids/id-param.js';
import { SchemaChangeDto } from './schema-changes.dto.js';
import { SchemaChanges } from './schema-changes.service.js';
import type { ChangeRow } from './schema-changes.sql.js';

@ApiTags('Content types')
@Controller('v1/content/:tenant_id/changes')
export class SchemaChangesController {
  constructor(private readonly changes: SchemaChanges) {}

  @Get(':change_id')
  @ApiOperation({
    summary: 'Get a change of a content type',
    description:
      'Shows how far a change is that was answered with 202. Until it is `done`, the content type is as it was. A finished change is ' +
      'kept for a week.',
  })
  @RequiresKey('content', 'read', { isUnpublished: true, keepsToTypes: true })
  @DataResponse(SchemaChangeDto)
  async get(@WithCaller() caller: Caller, @IdParam('change_id', 'chg', 'change') id: string): Promise<JsonText> {
    return new JsonText(`{"data":${presentChange(await this.changes.get(caller, id))}}`);
  }
}

/** Returns the JSON of a change. */
export function presentChange({ id, state, processed, total, problem }: ChangeRow): string {
  const shown = JSON.stringify({ id: formatId('chg', id), state, processed, total });
  return problem === null || state !== 'failed' ? shown : `${shown.slice(0, -1)},"problem":${problem}}`;
}
