import { Controller, Delete, Get, Post, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Public, RequiresKey, WithCaller } from '../../access/access.js';
import { LimitedByAddress } from '../../access/rate-limits.js';
import { ProblemResponses } from '../../errors/problem-responses.js';
import type { Caller } from '../../http/caller.js';
import { JsonText } from '../../http/http-adapter.js';
import { OptionalJsonBody } from '../../http/json-body.decorator.js';
import { DataResponse, type Message, MessageResponse } from '../../http/responses.js';
import type { IdOrSlug } from '../../ids/id-or-slug.js';
import { IdParam } from '../../ids/id-param.js';
import { EntryDto } from '../entries/entries.dto.js';
import { previewEtag, unstored } from '../entries/entry-etag.js';
import { presentEntry } from '../entries/entry-presenter.js';
import { TypeParam } from '../type-param.js';
import { CreatePreviewLinkDto, PreviewLinkDto } from './drafts.dto.js';
import { PreviewGuard, Target } from './preview.guard.js';
import { PreviewLinksService } from './preview-links.service.js';
import type { PreviewTarget } from './preview-token.js';

@ApiTags('Drafts')
@Controller('v1/content/:tenant_id/types/:content_type_id/entries/:entry_id/preview-links')
export class PreviewLinksController {
  constructor(private readonly links: PreviewLinksService) {}

  @Post()
  @ApiOperation({
    summary: 'Create a preview link',
    description:
      'Returns a URL that shows the entry with the values of its draft on top to everybody who has it, without an API key, until ' +
      'it expires. It always shows the current values.',
  })
  @RequiresKey('content', 'write')
  @DataResponse(PreviewLinkDto, 201)
  async create(
    @WithCaller() caller: Caller,
    @TypeParam() type: IdOrSlug,
    @IdParam('entry_id', 'ent', 'entry') entryId: string,
    @OptionalJsonBody(CreatePreviewLinkDto) { expires_in = DEFAULT_SECONDS }: CreatePreviewLinkDto,
  ): Promise<{ data: PreviewLinkDto }> {
    const { url, expiresAt } = await this.links.create(caller, type, entryId, expires_in);
    return { data: { url, expires_at: expiresAt.toISOString() } };
  }

  @Delete()
  @ApiOperation({ summary: 'End preview links', description: 'Ends all preview links of the entry at once.' })
  @RequiresKey('content', 'write')
  @MessageResponse()
  async end(
    @WithCaller() caller: Caller,
    @TypeParam() type: IdOrSlug,
    @IdParam('entry_id', 'ent', 'entry') entryId: string,
  ): Promise<Message> {
    await this.links.end(caller, type, entryId);
    return { message: 'The preview links of the entry were ended.' };
  }
}

const DEFAULT_SECONDS = 3_600;

@ApiTags('Drafts')
@Controller('v1/preview')
export class PreviewController {
  constructor(private readonly links: PreviewLinksService) {}

  @Get(':token')
  @UseGuards(PreviewGuard)
  @ApiOperation({
    summary: 'Follow a preview link',
    description:
      'Returns the entry with the values of its draft on top. The response is 404 if the link has expired or was ended, and for ' +
      'every other token. Pages of any origin can read it. Caches must not store it.',
  })
  @Public()
  @LimitedByAddress({ name: 'public' })
  @ApiParam({ name: 'token', description: 'The end of the URL of a preview link.', schema: { type: 'string' } })
  @DataResponse(EntryDto)
  @ProblemResponses('not_found', 'rate_limited')
  async follow(@WithCaller() caller: Caller, @Target() target: PreviewTarget): Promise<JsonText> {
    const { entry, draftNumber } = await this.links.follow(caller, target);
    const headers = unstored(previewEtag(entry.version, draftNumber));
    return new JsonText(`{"data":${presentEntry(entry.typeId, entry)}}`, headers);
  }
}
