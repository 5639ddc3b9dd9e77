import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiExtension, ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { RequiresKey, WithCaller } from '../../access/access.js';
import { ProblemResponses } from '../../errors/problem-responses.js';
import type { Caller } from '../../http/caller.js';
import { type FormBodySchemas, FORM_SCHEMA } from '../../http/bodies/json-body.decorator.js';
import { MAX_FILE_BYTES, MAX_FILES } from '../files/file-rules.js';
import { FormIdParam } from '../form-id-param.js';
import { SubmissionImports } from './submission-imports.service.js';

const FILE = { type: 'string', format: 'binary' };
const WITH_FILES = {
  type: 'object',
  description: `A submission with its files, of which it has at most ${MAX_FILES}, and ${MAX_FILE_BYTES} bytes of them in all.`,
  required: ['submission'],
  properties: { submission: { type: 'string', description: 'The line of an export, as JSON.' } },
  additionalProperties: { anyOf: [FILE, { type: 'array', items: FILE }] },
};
const LINES = { type: 'string', description: 'Lines of text in UTF-8.' };

@ApiTags('Submissions')
@Controller('v1/forms/:tenant_id/:form_id/submissions')
export class SubmissionImportsController {
  constructor(private readonly imports: SubmissionImports) {}

  @Post('import')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Import submissions',
    description:
      'Reads a stream of any length, as *Export submissions* writes it with `format=ndjson`, and commits its lines in batches. A submission keeps its `id` and ' +
      'with it its time; one without an `id` gets a new one of its `created_at`. A submission that the form has already is left as it is. Values must be ' +
      'strings, but they need not fit the fields of today. Emits no events and sends no mails. The response is a stream of ' +
      'JSON lines, as that of *Import entries*: it ends with `{"done": true, "created", "unchanged", "failed"}`. A stream has no files. A submission that has some ' +
      'is sent alone, as a form: the part `submission` is its line, and each other part is a file with the name of its field. Both are committed, or nothing.',
  })
  @RequiresKey('forms', 'write', {
    isWhole: true,
    refusesIdempotencyKey: 'An import cannot have an Idempotency-Key. It can be run again.',
  })
  @ApiConsumes('application/x-ndjson')
  @ApiBody({
    required: true,
    schema: { ...LINES, example: '{"id":"sub_01k9mzh6xze3n8mqsd5wkxp2zt","fields":{"name":"Ada Lovelace"}}\n' },
  })
  @ApiExtension(FORM_SCHEMA, { multipart: WITH_FILES } satisfies FormBodySchemas)
  @ApiProduces('application/x-ndjson')
  @ApiOkResponse({
    description: 'The lines were read. Each line of the response is a JSON object.',
    schema: { ...LINES, example: '{"done":true,"created":1,"unchanged":0,"failed":0}\n' },
  })
  @ProblemResponses(
    'conflict',
    'insufficient_storage',
    'limit_reached',
    'malformed_json',
    'malformed_multipart',
    'payload_too_large',
    'request_timeout',
    'unsupported_media_type',
    'validation_failed',
  )
  async importSubmissions(
    @WithCaller() caller: Caller,
    @FormIdParam() formId: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.imports.run(caller, formId, request, response);
  }
}
