import { createParamDecorator, type ExecutionContext, Injectable, type PipeTransform } from '@nestjs/common';
import { ApiBody, ApiExtension } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ByteBudget } from '../../admission/byte-budget.js';
import { isHeavy } from '../../admission/heavy-work.js';
import { publicKey } from '../../admission/public-key.js';
import { releaseWithResponse } from '../../admission/release-with-response.js';
import { ProblemResponses } from '../../errors/problem-responses.js';
import { type Checked, DtoPipe } from '../../http/dto.pipe.js';
import { encodedBytes, isForm, readForm, type SentForm } from '../../http/form-body.js';
import { FORM_SCHEMA, limitBody, turnOf } from '../../http/json-body.decorator.js';
import { readBody } from '../../http/json-body.js';
import type { CompiledForm } from '../form-schemas.js';
import { Redirects } from '../redirects.js';
import { CreateSubmissionDto } from '../submissions/submissions.dto.js';
import { REDIRECT, submittedValues } from './submitted-values.js';

/** Bytes of all texts. */
const TEXT_BYTES = 256 * 1024;
/** Bytes of a form with its files. */
const FORM_BYTES = 50 * 1024 * 1024;
/** Memory holds the bytes, their text, the parsed values and the text of the response. */
const COPIES = 4;

/** A body of a submission, whatever its type. */
export interface SubmissionBody extends Checked<CreateSubmissionDto> {
  /** What a browser sent, if the body is a form. */
  form?: SentForm;
  /** Returns what the parts of a form mean for the fields of the form. It replaces `dto` and `errors`. */
  valuesFor?: (tenantId: string, form: CompiledForm) => Pick<Checked<CreateSubmissionDto>, 'dto' | 'errors'>;
}

interface Exchange {
  request: Request;
  response: Response;
}

const sentForms = new WeakMap<Request, SentForm>();

/** Returns the form that the request brought, if it was read. */
export function sentFormOf(request: Request): SentForm | undefined {
  return sentForms.get(request);
}

/** Reads JSON, and forms as browsers send them. Throws like `JsonBodyWithValues` and `readForm`. */
@Injectable()
export class SubmissionBodyPipe implements PipeTransform<Exchange, Promise<SubmissionBody>> {
  private readonly json = new DtoPipe(CreateSubmissionDto, 'with errors');

  constructor(
    private readonly budget: ByteBudget,
    private readonly redirects: Redirects,
  ) {}

  async transform({ request, response }: Exchange): Promise<SubmissionBody> {
    const turn = turnOf(request);
    if (!isForm(request)) {
      const text = await readBody(request, response, TEXT_BYTES);
      return (await this.json.transform({ text, turn })) as Checked<CreateSubmissionDto>;
    }
    this.admit(request, response);
    const form = await readForm(request, response, { text: TEXT_BYTES, total: FORM_BYTES });
    sentForms.set(request, form);
    const valuesFor: SubmissionBody['valuesFor'] = (tenantId, { schema, settings }) => {
      const mayLeadTo = (origin: string) => this.redirects.mayLeadTo(tenantId, settings, origin);
      const { fields, errors } = submittedValues(form, schema, mayLeadTo);
      return { dto: { fields }, errors };
    };
    return { dto: { fields: {} }, errors: form.errors, turn, isHeavy: isHeavy(form.bytes), form, valuesFor };
  }

  /** Counts the texts of a multipart body, which the guard does not. */
  private admit({ headers, params }: Request, response: Response): void {
    if (!/^multipart/i.test(headers['content-type'] ?? '')) return;
    const bytes = Math.min(Number(headers['content-length'] ?? TEXT_BYTES), TEXT_BYTES);
    if (!isHeavy(bytes)) return;
    releaseWithResponse(response, this.budget.reserve(publicKey(String(params['tenant_id'])), bytes * COPIES));
  }
}

const WithExchange = createParamDecorator((_data: unknown, context: ExecutionContext): Exchange => {
  const http = context.switchToHttp();
  return { request: http.getRequest<Request>(), response: http.getResponse<Response>() };
});

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
  additionalProperties: { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
};

/** Injects the `SubmissionBody`, and documents it. */
export function SubmissionBodyParam(): ParameterDecorator {
  const read = WithExchange(SubmissionBodyPipe);
  return (target, method, index) => {
    read(target, method, index);
    const descriptor = method === undefined ? undefined : Object.getOwnPropertyDescriptor(target, method);
    if (method === undefined || !descriptor) return;
    limitBody(descriptor.value as object, { json: TEXT_BYTES, form: encodedBytes(TEXT_BYTES) });
    ApiExtension(FORM_SCHEMA, FORM)(target, method, descriptor);
    ApiBody({ type: CreateSubmissionDto, required: true })(target, method, descriptor);
    const problems = ['malformed_json', 'malformed_multipart', 'payload_too_large', 'unsupported_media_type'] as const;
    ProblemResponses(...problems, 'validation_failed')(target, method, descriptor);
  };
}
