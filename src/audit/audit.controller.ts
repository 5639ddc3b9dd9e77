import { Controller, Get, Query as QueryString } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequiresKey, WithCaller } from '../access/access.js';
import { Problem } from '../errors/problem.js';
import type { Caller } from '../http/caller.js';
import { Parameters } from '../http/parameters.js';
import type { Query } from '../http/query.js';
import { CursorMetaDto, pageOf } from '../lists/page.dto.js';
import { type ListMeta, pageParameters, readCursorPage } from '../lists/page.js';
import { periodParameters, readPeriod } from '../lists/periods.js';
import type { AuditFilter } from './audit-list.js';
import { presentRecord } from './audit-presenter.js';
import { AuditRecordDto } from './audit.dto.js';
import { AuditService } from './audit.service.js';

const ID = '[0-7][0-9a-hjkmnp-tv-z]{25}';
const ACTOR = `^(?:key|usr)_${ID}$`;
const RESOURCE = `^[a-z]{1,20}_${ID}$`;
const ACTION = '^[a-z_]{1,100}$';

@ApiTags('Audit')
@Controller('v1/audit/:tenant_id')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  @ApiOperation({
    summary: 'List audit records',
    description:
      'Lists who changed what over the API, newest first: a record for each resource that a request changed. Records hold names and no values. ' +
      'They are kept for a year unless the service is configured otherwise.',
  })
  @RequiresKey('audit', 'read')
  @Parameters(
    ...pageParameters.filter(({ name }) => name !== 'page'),
    {
      name: 'actor',
      schema: { type: 'string', pattern: ACTOR },
      description: 'Returns only changes with the key, or by the member, of this ID.',
    },
    {
      name: 'action',
      schema: { type: 'string', pattern: ACTION },
      description: 'Returns only changes with this action, for example `deleted`.',
    },
    {
      name: 'resource',
      schema: { type: 'string', pattern: RESOURCE },
      description: 'Returns only changes of the resource with this ID. It may have been deleted since.',
    },
    ...periodParameters('changes'),
  )
  @ApiOkResponse({ description: 'One page of the list.', type: pageOf(AuditRecordDto, CursorMetaDto) })
  async listAuditRecords(
    @WithCaller() caller: Caller,
    @QueryString() query: Query,
  ): Promise<{ data: AuditRecordDto[]; meta: ListMeta }> {
    const { rows, meta } = await this.audit.list(caller, readFilter(query), readCursorPage(query));
    return { data: rows.map(presentRecord), meta };
  }
}

function readFilter(query: Query): AuditFilter {
  return {
    actor: readText(query, 'actor', ACTOR, 'the ID of an API key or of a member'),
    action: readText(query, 'action', ACTION, 'the name of an action, such as updated'),
    resource: readText(query, 'resource', RESOURCE, 'the ID of a resource'),
    ...readPeriod(query),
  };
}

function readText(query: Query, name: string, pattern: string, what: string): string | undefined {
  const text = query[name];
  if (text === undefined || (typeof text === 'string' && new RegExp(pattern).test(text))) return text;
  throw Problem.parameter(name, `${name} must be ${what}.`);
}
