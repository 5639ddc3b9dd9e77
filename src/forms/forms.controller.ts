import { Controller, Get, Post, Query as QueryString } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequiresKey, WithCaller } from '../access/access.js';
import type { Caller } from '../http/caller.js';
import { ProblemResponses } from '../errors/problem-responses.js';
import { describeTypes } from '../fields/openapi.js';
import { DataResponse } from '../http/responses.js';
import { JsonBody } from '../http/json-body.decorator.js';
import type { JsonText } from '../http/http-adapter.js';
import type { JsonStream } from '../http/json-stream.js';
import type { Query } from '../http/query.js';
import { ListResponse } from '../lists/page.dto.js';
import { pageParameters, readPage } from '../lists/page.js';
import { Parameters } from '../http/parameters.js';
import { listResponse } from '../lists/streamed-list.js';
import { type FormRow, formText, presentCreatedForm } from './form-presenter.js';
import { CreatedFormDto, CreateFormDto, FormDto } from './forms.dto.js';
import { FormsService } from './forms.service.js';

@ApiTags('Forms')
@Controller('v1/forms/:tenant_id')
export class FormsController {
  constructor(private readonly forms: FormsService) {}

  @Get()
  @ApiOperation({
    summary: 'List forms',
    description: 'Lists the forms of the tenant, newest first. Each form has the number of its submissions.',
  })
  @RequiresKey('forms', 'read')
  @Parameters(...pageParameters)
  @ListResponse(FormDto)
  async list(@WithCaller() caller: Caller, @QueryString() query: Query): Promise<JsonText | JsonStream> {
    const { rows, submissions, meta, large } = await this.forms.list(caller, readPage(query));
    const present = (row: FormRow) => formText(row, submissions.get(row.id) ?? 0);
    const records = rows.map((row) => (row.fields === null ? row : present(row)));
    return listResponse({ records, meta, large, present });
  }

  @Post()
  @ApiOperation({
    summary: 'Create a form',
    description: `Creates a form, which visitors submit by its ID or slug and without an API key. ${describeTypes('form')}`,
  })
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
