import { Controller, Get, Query as QueryString } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequiresKey, WithCaller } from '../../access/access.js';
import type { Caller } from '../../http/caller.js';
import { JsonText } from '../../http/http-adapter.js';
import { Parameters } from '../../http/parameters.js';
import type { Query } from '../../http/query.js';
import { DataListResponse } from '../../http/responses/responses.js';
import { contentSearchParameters, readContentSearch } from './content-search-request.js';
import { FoundEntryDto } from './content-search.dto.js';
import { ContentSearch } from './content-search.service.js';
import { presentFoundEntry } from './found-entry-presenter.js';

@ApiTags('Entries')
@Controller('v1/content/:tenant_id/search')
export class ContentSearchController {
  constructor(private readonly finder: ContentSearch) {}

  @Get()
  @ApiOperation({
    summary: 'Search all content types',
    description:
      'Finds entries of all content types that the key may read, as somebody types: the last word is also sought as the beginning of a word. ' +
      'Entries with all words in the title come first, short titles before long ones, then those with all words anywhere; of equal ones the ' +
      'newest. Of each content type, a limited number of matches is looked at, so there is no total and no further page. A key for published ' +
      'entries finds those only. Drafts beside live values are not searched.',
  })
  @RequiresKey('content', 'read', { keepsToTypes: true })
  @Parameters(...contentSearchParameters)
  @DataListResponse(FoundEntryDto)
  async searchContent(@WithCaller() caller: Caller, @QueryString() query: Query): Promise<JsonText> {
    const found = await this.finder.find(caller, readContentSearch(query));
    return new JsonText(`{"data":[${found.map(presentFoundEntry).join()}]}`);
  }
}
