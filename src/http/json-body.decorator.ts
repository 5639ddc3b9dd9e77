import { createParamDecorator, type ExecutionContext, type Type } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { publicKey } from '../admission/byte-budget.js';
import { ProblemResponses } from '../errors/problem-responses.js';
import { DtoPipe, type UncheckedBody } from './dto.pipe.js';
import { readBody } from './json-body.js';

const ONE_MIB = 1024 * 1024;

/**
 * The parameter that takes the JSON body: read after the guards let the request in, checked against the DTO, described in the API's
 * document. 400 malformed or not an object, 413 over `maxBytes`, 415 not JSON, 422 with the path of each wrong value.
 */
export function JsonBody<Dto extends object>(dto: Type<Dto>, maxBytes = ONE_MIB): ParameterDecorator {
  return bodyParameter(dto, maxBytes, new DtoPipe(dto));
}

/** The same for a body that holds values of a schema: the parameter is `Checked<Dto>`, and nothing is answered yet. */
export function JsonBodyWithValues<Dto extends object>(dto: Type<Dto>, maxBytes = ONE_MIB): ParameterDecorator {
  return bodyParameter(dto, maxBytes, new DtoPipe(dto, 'with errors'));
}

function bodyParameter(dto: Type, maxBytes: number, pipe: DtoPipe<object>): ParameterDecorator {
  const read = BodyText(maxBytes, pipe);
  return (target, method, index) => {
    read(target, method, index);
    const descriptor = method === undefined ? undefined : Object.getOwnPropertyDescriptor(target, method);
    if (method === undefined || !descriptor) return;
    ApiBody({ type: dto })(target, method, descriptor);
    ProblemResponses(
      'malformed_json',
      'payload_too_large',
      'unsupported_media_type',
      'validation_failed',
    )(target, method, descriptor);
  };
}

const BodyText = createParamDecorator(async (maxBytes: number, context: ExecutionContext): Promise<UncheckedBody> => {
  const http = context.switchToHttp();
  const request = http.getRequest<Request>();
  const text = await readBody(request, http.getResponse<Response>(), maxBytes);
  return { text, turn: turnOf(request) };
});

function turnOf({ caller, params, ip }: Request): string {
  return caller?.tenantId ?? publicKey(String(params['tenant_id'] ?? ip));
}
