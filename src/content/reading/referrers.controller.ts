import { Controller, Get, Query as QueryString } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequiresKey, WithCaller } from '../../access/access.js';
import type { Caller } from '../../http/caller.js';
import type { JsonText } from '../../http/http-adapter.js';
import { Parameters } from '../../http/parameters.js';
import type { Query } from '../../http/query.js';
import type { IdOrSlug } from '../../ids/id-or-slug.js';
import { EntryIdParam } from '../entry-id-param.js';
import { readName } from '../../fields/localized/localized-names.js';
import { formatId } from '../../ids/type-id.js';
import { ListResponse } from '../../lists/page.dto.js';
import { pageParameters, readPage } from '../../lists/page.js';
import { listText } from '../../lists/streamed-list.js';
import { TypeParam } from '../type-param.js';
import { ReferrerDto } from './referrers.dto.js';
import { ReferrersService } from './referrers.service.js';
import type { Referrer } from './referrers.sql.js';

@ApiTags('Entries')
@Controller('v1/content/:tenant_id/types/:content_type_id/entries/:entry_id/referrers')
export class ReferrersController {
  constructor(private readonly referrers: ReferrersService) {}

  @Get()
  @ApiOperation({
    summary: 'List the referrers of an entry',
    description:
      'Lists the entries of all content types that refer to the entry, the newest one first. An entry that does so in several fields is ' +
      'listed for each of them. A key that reads published entries only sees published referrers.',
  })
  @RequiresKey('content', 'read')
  @Parameters(...pageParameters)
  @ListResponse(ReferrerDto)
  async list(
    @WithCaller() caller: Caller,
    @TypeParam() type: IdOrSlug,
    @EntryIdParam() entryId: string,
    @QueryString() query: Query,
  ): Promise<JsonText> {
    const { rows, meta } = await this.referrers.list(caller, type, entryId, readPage(query));
    return listText(rows.map(present), meta);
  }
}

function present({ typeId, entryId, field: stored }: Referrer): string {
  const { own: field, locale } = readName(stored);
  return JSON.stringify({ content_type_id: formatId('ct', typeId), entry_id: formatId('ent', entryId), field, locale });
}
