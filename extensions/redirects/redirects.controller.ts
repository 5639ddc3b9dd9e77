import { Controller, Delete, Get, Patch, Post, Query as QueryString } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequiresKey, WithCaller } from 'trivet/access/access.js';
import { ProblemResponses } from 'trivet/errors/problem-responses.js';
import { Problem } from 'trivet/errors/problem.js';
import type { Caller } from 'trivet/http/caller.js';
import { JsonBody } from 'trivet/http/bodies/json-body.decorator.js';
import { Parameters } from 'trivet/http/parameters.js';
import type { Query } from 'trivet/http/query.js';
import { DataResponse, type Message, MessageResponse } from 'trivet/http/responses/responses.js';
import { IdParam } from 'trivet/ids/id-param.js';
import { ListResponse } from 'trivet/lists/page.dto.js';
import { type ListMeta, pageParameters, readPage } from 'trivet/lists/page.js';
import { isPath } from './paths.js';
import { presentRedirect } from './redirect-presenter.js';
import { CreateRedirectDto, RedirectDto, UpdateRedirectDto } from './redirects.dto.js';
import { RedirectsService } from './redirects.service.js';

const SOURCE = 'filter[source]';

@ApiTags('Redirects')
@Controller('v1/redirects/:tenant_id')
export class RedirectsController {
  constructor(private readonly redirects: RedirectsService) {}

  @Get()
  @ApiOperation({
    summary: 'List redirects',
    description:
      'Lists the redirects of the tenant, newest first. A website that does not know a path asks for its redirect with ' +
      '`filter[source]`.',
  })
  @RequiresKey('redirects', 'read')
  @Parameters(...pageParameters, {
    name: SOURCE,
    schema: { type: 'string' },
    description: 'Returns only the redirect of this path (`/old-page`), if it has one.',
  })
  @ListResponse(RedirectDto)
  async list(
    @WithCaller() caller: Caller,
    @QueryString() query: Query,
  ): Promise<{ data: RedirectDto[]; meta: ListMeta }> {
    const { rows, meta } = await this.redirects.list(caller, readPage(query), readSource(query));
    return { data: rows.map(presentRedirect), meta };
  }

  @Post()
  @ApiOperation({ summary: 'Create a redirect', description: 'Emits `redirect.created`.' })
  @RequiresKey('redirects', 'write')
  @ProblemResponses('conflict')
  @DataResponse(RedirectDto, 201)
  async create(
    @WithCaller() caller: Caller,
    @JsonBody(CreateRedirectDto) body: CreateRedirectDto,
  ): Promise<{ data: RedirectDto }> {
    return { data: presentRedirect(await this.redirects.create(caller, body)) };
  }

  @Get(':redirect_id')
  @ApiOperation({ summary: 'Get a redirect' })
  @RequiresKey('redirects', 'read')
  @DataResponse(RedirectDto)
  async get(
    @WithCaller() caller: Caller,
    @IdParam('redirect_id', 'rdr', 'redirect') redirectId: string,
  ): Promise<{ data: RedirectDto }> {
    return { data: presentRedirect(await this.redirects.get(caller, redirectId)) };
  }

  @Patch(':redirect_id')
  @ApiOperation({
    summary: 'Update a redirect',
    description: 'Properties that are not sent keep their values. Emits `redirect.updated`.',
  })
  @RequiresKey('redirects', 'write')
  @ProblemResponses('conflict')
  @DataResponse(RedirectDto)
  async update(
    @WithCaller() caller: Caller,
    @IdParam('redirect_id', 'rdr', 'redirect') redirectId: string,
    @JsonBody(UpdateRedirectDto) body: UpdateRedirectDto,
  ): Promise<{ data: RedirectDto }> {
    return { data: presentRedirect(await this.redirects.update(caller, redirectId, body)) };
  }

  @Delete(':redirect_id')
  @ApiOperation({ summary: 'Delete a redirect', description: 'Emits `redirect.deleted`.' })
  @RequiresKey('redirects', 'write')
  @MessageResponse()
  async delete(
    @WithCaller() caller: Caller,
    @IdParam('redirect_id', 'rdr', 'redirect') redirectId: string,
  ): Promise<Message> {
    await this.redirects.delete(caller, redirectId);
    return { message: 'The redirect was deleted.' };
  }
}

function readSource(query: Query): string | undefined {
  const source = query[SOURCE];
  if (source === undefined || (typeof source === 'string' && isPath(source))) return source;
  throw Problem.parameter(SOURCE, `${SOURCE} must be a path such as /old-page.`);
}
