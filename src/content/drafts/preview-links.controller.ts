import { Controller, Delete, Get, Post, Query as QueryString, Req, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Public, RequiresKey, WithCaller } from '../../access/access.js';
import { RateLimit } from '../../access/rate-limits.js';
import { ProblemResponses } from '../../errors/problem-responses.js';
import type { Caller } from '../../http/caller.js';
import type { JsonText } from '../../http/http-adapter.js';
import { wantsPage } from '../../http/pages/wants-page.js';
import type { JsonStream } from '../../http/responses/json-stream.js';
import { IgnoresOtherParameters, Parameters } from '../../http/parameters.js';
import type { Query } from '../../http/query.js';
import { OptionalJsonBody } from '../../http/bodies/json-body.decorator.js';
import { DataResponse, type Message, MessageResponse } from '../../http/responses/responses.js';
import type { IdOrSlug } from '../../ids/id-or-slug.js';
import { EntryIdParam } from '../entry-id-param.js';
import { EntryResponseDto } from '../entries/entries.dto.js';
import { readingParameters } from '../entries/entries.parameters.js';
import { EntryResponses } from '../entries/entry-responses.js';
import { readReading } from '../reading/reading-request.js';
import { localeParameters } from '../locales/locale-request.js';
import { type Shape, shapeParameter, WithShape } from '../reading/shape.js';
import { TypeParam } from '../type-param.js';
import { CreatePreviewLinkDto, PreviewLinkDto } from './drafts.dto.js';
import { PreviewGuard, PreviewTargetParam } from './preview.guard.js';
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
      'it expires. It always shows the current values. The API key must also be allowed to read the draft. The link ends with the key, and ' +
      '`include` shows only entries that the key may read.',
  })
  @RequiresKey('content', 'draft')
  @DataResponse(PreviewLinkDto, 201)
  async create(
    @WithCaller() caller: Caller,
    @TypeParam() type: IdOrSlug,
    @EntryIdParam() entryId: string,
    @OptionalJsonBody(CreatePreviewLinkDto) { expires_in = DEFAULT_SECONDS }: CreatePreviewLinkDto,
  ): Promise<{ data: PreviewLinkDto }> {
    const { url, expiresAt } = await this.links.create(caller, type, entryId, expires_in);
    return { data: { url, expires_at: expiresAt.toISOString() } };
  }

  @Delete()
  @ApiOperation({ summary: 'End preview links', description: 'Ends all preview links of the entry at once.' })
  @RequiresKey('content', 'draft')
  @MessageResponse()
  async endPreviewLinks(
    @WithCaller() caller: Caller,
    @TypeParam() type: IdOrSlug,
    @EntryIdParam() entryId: string,
  ): Promise<Message> {
    await this.links.end(caller, type, entryId);
    return { message: 'The preview links of the entry were ended.' };
  }
}

const DEFAULT_SECONDS = 3_600;

@ApiTags('Drafts')
@Controller('v1/preview')
export class PreviewController {
  constructor(
    private readonly links: PreviewLinksService,
    private readonly responses: EntryResponses,
  ) {}

  @Get(':token')
  @IgnoresOtherParameters()
  @UseGuards(PreviewGuard)
  @ApiOperation({
    summary: 'Follow a preview link',
    description:
      'Returns the entry with the values of its draft on top. The response is 404 if the link has expired or was ended, and for ' +
      'every other token. Pages of any origin can read it. Caches must not store it. With `include`, the included entries are ' +
      'shown as they are published. Other parameters, which shared links get (`utm_source`), are ignored. A browser that opens the link gets a ' +
      'page with the values, which has no scripts.',
  })
  @Public()
  @RateLimit({ per: 'address', name: 'public', limit: 'PUBLIC_RATE_LIMIT', window: 'minute' })
  @ApiParam({ name: 'token', description: 'The end of the URL of a preview link.', schema: { type: 'string' } })
  @Parameters(...localeParameters, ...readingParameters, shapeParameter)
  @ApiOkResponse({ description: 'The request succeeded.', type: EntryResponseDto })
  @ProblemResponses('not_found', 'rate_limited', 'unknown_field')
  async followPreviewLink(
    @WithCaller() caller: Caller,
    @PreviewTargetParam() target: PreviewTarget,
    @QueryString() query: Query,
    @WithShape() shape: Shape,
    @Req() request: Request,
  ): Promise<JsonText | JsonStream> {
    if (wantsPage(request)) return this.links.page(caller, target);
    return this.responses.preview(caller, await this.links.follow(caller, target, readReading(query), shape), shape);
  }
}
