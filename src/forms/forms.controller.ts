import { Controller, Delete, Get, Headers, Patch, Post, Query as QueryString } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequiresKey, WithCaller } from '../access/access.js';
import { writtenAnswer } from '../access/may-read.js';
import { formatId } from '../ids/type-id.js';
import type { Caller } from '../http/caller.js';
import { ProblemResponses } from '../errors/problem-responses.js';
import { describeTypes } from '../fields/definitions/openapi.js';
import { DataResponse, type Message, MessageResponse, WrittenResponse } from '../http/responses/responses.js';
import type { CheckedBody } from '../http/bodies/dto.pipe.js';
import { readIfMatch } from '../http/responses/etag.js';
import { IfMatch, Tagged } from '../http/responses/etag-headers.js';
import { JsonBodyWithValues } from '../http/bodies/json-body.decorator.js';
import { JsonText } from '../http/http-adapter.js';
import type { JsonStream } from '../http/responses/json-stream.js';
import type { Query } from '../http/query.js';
import { ListResponse } from '../lists/page.dto.js';
import { pageParameters, readPage } from '../lists/page.js';
import { Parameters } from '../http/parameters.js';
import { listResponse } from '../lists/streamed-list.js';
import { type IdOrSlug, IdOrSlugParam } from '../ids/id-or-slug.js';
import { formEtag, type FormRow, formText, presentForm } from './form-presenter.js';
import type { Form } from './form.entity.js';
import { CreateFormDto, FormDetailDto, FormDto, UpdateFormDto } from './forms.dto.js';
import { FormsService } from './forms.service.js';
import { FormWarningDto, FormWarnings } from './spam/form-warnings.js';

/** Injects the `IdOrSlug` of the form in the path. */
const FormParam = () => IdOrSlugParam('form_id', 'frm', 'form');

@ApiTags('Forms')
@Controller('v1/forms/:tenant_id')
export class FormsController {
  constructor(
    private readonly forms: FormsService,
    private readonly warnings: FormWarnings,
  ) {}

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
    description: `Creates a form, which visitors submit by its ID or slug and without an API key. Emits \`form.created\`. ${describeTypes('form')}`,
  })
  @RequiresKey('forms', 'write')
  @DataResponse(FormDetailDto, 201)
  @Tagged(201, 'form')
  @ProblemResponses('conflict')
  async create(
    @WithCaller() caller: Caller,
    @JsonBodyWithValues(CreateFormDto) body: CheckedBody<CreateFormDto>,
  ): Promise<JsonText> {
    return tagged(await this.forms.create(caller, body));
  }

  @Get(':form_id')
  @ApiOperation({
    summary: 'Get a form',
    description:
      'Returns the form with its field definitions and settings. `warnings` is present only if there is something that the owner should know: ' +
      'submissions of the last days whose time could not be checked.',
  })
  @RequiresKey('forms', 'read')
  @DataResponse(FormDetailDto, 200, { warnings: FormWarningDto })
  @Tagged(200, 'form')
  async get(@WithCaller() caller: Caller, @FormParam() form: IdOrSlug): Promise<JsonText> {
    const found = await this.forms.get(caller, form);
    return tagged(found, await this.warnings.of(caller.tenantId, found));
  }

  @Patch(':form_id')
  @ApiOperation({
    summary: 'Update a form',
    description:
      'Properties that are not sent keep their values. `fields` replaces the whole list; *Create a form* lists the types of fields. `settings` are ' +
      'merged by name, and each setting that is sent (`spam`, `notify`, …) replaces the old one as a whole. A change takes effect at once. Settings that name a field must name one of the fields that the form has then. After a change of the slug, the ' +
      'old slug no longer leads to the form. Emits `form.updated`.',
  })
  @IfMatch
  @RequiresKey('forms', 'write')
  @WrittenResponse(FormDetailDto)
  @Tagged(200, 'form')
  @ProblemResponses('conflict', 'precondition_failed')
  async update(
    @WithCaller() caller: Caller,
    @FormParam() form: IdOrSlug,
    @JsonBodyWithValues(UpdateFormDto) body: CheckedBody<UpdateFormDto>,
    @Headers('If-Match') ifMatch?: string,
  ): Promise<JsonText> {
    const updated = await this.forms.update(caller, form, body, readIfMatch(ifMatch));
    const written = { area: 'forms', id: formatId('frm', updated.id) } as const;
    return writtenAnswer(caller, written, () => JSON.stringify(presentForm(updated)), { ETag: formEtag(updated) });
  }

  @Delete(':form_id')
  @ApiOperation({
    summary: 'Delete a form',
    description:
      'Permanently deletes the form with all of its submissions and their files. This cannot be undone. Emits `form.deleted`, and no event ' +
      'for the submissions.',
  })
  @IfMatch
  @RequiresKey('forms', 'write')
  @MessageResponse()
  @ProblemResponses('precondition_failed')
  async delete(
    @WithCaller() caller: Caller,
    @FormParam() form: IdOrSlug,
    @Headers('If-Match') ifMatch?: string,
  ): Promise<Message> {
    await this.forms.delete(caller, form, readIfMatch(ifMatch));
    return { message: 'The form and its submissions were deleted.' };
  }
}

function tagged(form: Form, beside: object = {}): JsonText {
  return new JsonText(JSON.stringify({ data: presentForm(form), ...beside }), { ETag: formEtag(form) });
}
