import { Controller, Get, Post, Query as QueryString } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequiresKey, WithCaller } from '../access/access.js';
import type { Caller } from '../access/caller.js';
import { ProblemResponses } from '../errors/problem-responses.js';
import { DataResponse } from '../http/answers.js';
import { JsonBody } from '../http/checked-body.js';
import type { Query } from '../http/query.js';
import type { ListMeta } from '../lists/newest-first.js';
import { ListResponse } from '../lists/page.dto.js';
import { pageParameters, readPage } from '../lists/page.js';
import { Parameters } from '../lists/parameters.js';
import { presentCreatedForm, presentForm } from './form-presenter.js';
import { CreatedFormDto, CreateFormDto, FormDto } from './forms.dto.js';
import { FormsService } from './forms.service.js';

@ApiTags('Forms')
@Controller('v1/forms/:tenant_id')
export class FormsController {
  constructor(private readonly forms: FormsService) {}

  @Get()
  @ApiOperation({ summary: 'List forms', description: 'Newest first, each with the number of its submissions.' })
  @RequiresKey('forms', 'read')
  @Parameters(...pageParameters)
  @ListResponse(FormDto)
  async list(@WithCaller() caller: Caller, @QueryString() query: Query): Promise<{ data: FormDto[]; meta: ListMeta }> {
    const { rows, meta } = await this.forms.list(caller, readPage(query, 'forms'));
    return { data: rows.map(presentForm), meta };
  }

  @Post()
  @ApiOperation({ summary: 'Create a form' })
  @RequiresKey('forms', 'write')
  @DataResponse(CreatedFormDto, 201)
  @ProblemResponses('conflict')
  async create(
    @WithCaller() caller: Caller,
    @JsonBody(CreateFormDto) body: CreateFormDto,
  ): Promise<{ data: CreatedFormDto }> {
    return { data: presentCreatedForm(await this.forms.create(caller, body)) };
  }
}
