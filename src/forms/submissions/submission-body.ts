import type { IncomingHttpHeaders } from 'node:http';
import { Injectable, type PipeTransform } from '@nestjs/common';
import { ApiBody, ApiExtension } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ByteBudget } from '../../admission/byte-budget.js';
import { isHeavy } from '../../admission/heavy-work.js';
import { publicKey } from '../../admission/public-key.js';
import { releaseWithResponse } from '../../admission/release-with-response.js';
import { ProblemResponses } from '../../errors/problem-responses.js';
import { type CheckedBody, DtoPipe } from '../../http/bodies/dto.pipe.js';
import { clientAddress } from '../../http/client-address.js';
import { encodedBytes, isForm, isMultipart, type SentForm } from '../../http/bodies/form-body.js';
import { type HttpExchange, WithExchange } from '../../http/bodies/exchange.js';
import { FORM_SCHEMA, type FormBodySchemas, limitBody, queueKeyOf } from '../../http/bodies/json-body.decorator.js';
import { readBody } from '../../http/bodies/json-body.js';
import { MAX_FILE_BYTES, MAX_FILES } from '../files/file-rules.js';
import type { ReceivedFile, ReceivedFiles } from '../files/received-files.js';
import { SubmissionUploads } from '../files/submission-uploads.js';
import { REDIRECT } from '../pages/submitted-values.js';
import { CreateSubmissionDto } from './submissions.dto.js';
import { parseUrl } from '../../validation/parse-url.js';

/** Bytes of all texts. */
const TEXT_BYTES = 256 * 1024;
/** Memory holds the bytes, their text, the parsed values and the text of the response. */
const COPIES = 4;

const MAX_ORIGIN = 255;
/** A language tag (BCP 47) at the beginning of the header. */
const TAG = /^\s*([A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8}){0,7})\s*(?:[,;]|$)/;

/** What a request says about the visitor. No address is stored. */
export interface Visitor {
  /** The header `Origin`; undefined for programs. */
  origin: string | undefined;
  /** The origin of the page: that of `Origin`, else of `Referer`. Null if neither is an http or https URL. */
  page: string | null;
  /** The first language tag of `Accept-Language`; null if it has none. */
  locale: string | null;
}

/** The body of a submission, as JSON or as form data, and who sent it. */
export interface SubmissionBody extends CheckedBody<CreateSubmissionDto> {
  visitor: Visitor;
  /** What a browser sent, if the body is a form. Then its parts are the fields, and `dto` has none. */
  form?: SentForm;
  /** The files that came with it. */
  received?: readonly ReceivedFile[];
  /** Stores them; undefined if the form takes no files. */
  files?: ReceivedFiles;
}

/** Reads JSON, and forms as browsers send them. Throws like `JsonBodyWithValues` and `SubmissionUploads.read`. */
@Injectable()
export class SubmissionBodyPipe implements PipeTransform<HttpExchange, Promise<SubmissionBody>> {
  private readonly json = new DtoPipe(CreateSubmissionDto, 'with errors');

  constructor(
    private readonly budget: ByteBudget,
    private readonly uploads: SubmissionUploads,
  ) {}

  async transform({ request, response }: HttpExchange): Promise<SubmissionBody> {
    const queueKey = queueKeyOf(request);
    const visitor = visitorOf(request.headers);
    if (!isForm(request)) {
      const text = await readBody(request, response, TEXT_BYTES);
      return { ...((await this.json.transform({ text, queueKey })) as CheckedBody<CreateSubmissionDto>), visitor };
    }
    this.admit(request, response);
    const { form, ...uploaded } = await this.uploads.read(request, response, TEXT_BYTES);
    const dto = { fields: {} };
    return { dto, errors: form.errors, queueKey, isHeavy: isHeavy(form.bytes), visitor, form, ...uploaded };
  }

  /** Counts the texts of a multipart body, which the guard does not. */
  private admit(request: Request, response: Response): void {
    const { headers, params } = request;
    if (!isMultipart(request)) return;
    const bytes = Math.min(Number(headers['content-length'] ?? TEXT_BYTES), TEXT_BYTES);
    if (!isHeavy(bytes)) return;
    const key = publicKey(String(params['tenant_id']), clientAddress(request));
    releaseWithResponse(response, this.budget.reserve(key, bytes * COPIES));
  }
}

function visitorOf(headers: IncomingHttpHeaders): Visitor {
  const { origin, referer } = headers;
  const page = [origin, referer].map(originOf).find((found) => found !== undefined) ?? null;
  return { origin, page, locale: TAG.exec(headers['accept-language'] ?? '')?.[1] ?? null };
}

function originOf(text: string | undefined): string | undefined {
  const { protocol = '', origin = '' } = parseUrl(text ?? '') ?? {};
  return /^https?:$/.test(protocol) && origin.length <= MAX_ORIGIN ? origin : undefined;
}

const TEXTS = { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] };
const FILE = { type: 'string', format: 'binary' };

const FORM = {
  type: 'object',
  description:
    'The fields of the form by name, as a browser sends them. A checkbox that is not sent is `"false"`; `on`, `1`, `yes` and `true` tick it. ' +
    'A field with `multiple` may be sent several times, any other field once.',
  properties: {
    [REDIRECT]: {
      type: 'string',
      format: 'uri',
      description:
        'Where to lead the browser after the submission: an absolute URL whose origin is one of `redirect_origins` of the form, one of ' +
        '`allowed_origins` of the tenant, or that of the service.',
    },
  },
  additionalProperties: TEXTS,
};

const MULTIPART: object = {
  ...FORM,
  description: `${FORM.description} Fields of the type \`file\` take files, at most ${MAX_FILES} and ${MAX_FILE_BYTES} bytes of them in all.`,
  additionalProperties: { anyOf: [...TEXTS.oneOf, FILE, { type: 'array', items: FILE }] },
};

/** Injects the `SubmissionBody`, and documents it. */
export function SubmissionBodyParam(): ParameterDecorator {
  const read = WithExchange(SubmissionBodyPipe);
  return (target, method, index) => {
    read(target, method, index);
    const descriptor = method === undefined ? undefined : Object.getOwnPropertyDescriptor(target, method);
    if (method === undefined || !descriptor) return;
    limitBody(descriptor.value as object, {
      json: TEXT_BYTES,
      form: encodedBytes(TEXT_BYTES),
      files: MAX_FILE_BYTES,
    });
    ApiExtension(FORM_SCHEMA, { form: FORM, multipart: MULTIPART } satisfies FormBodySchemas)(
      target,
      method,
      descriptor,
    );
    ApiBody({ type: CreateSubmissionDto, required: true })(target, method, descriptor);
    const problems = ['malformed_json', 'malformed_multipart', 'request_timeout', 'payload_too_large'] as const;
    ProblemResponses(
      ...problems,
      'unsupported_media_type',
      'validation_failed',
      'insufficient_storage',
    )(target, method, descriptor);
  };
}
