import { createParamDecorator, type ExecutionContext, type Type } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { publicKey } from '../../admission/public-key.js';
import { ProblemResponses } from '../../errors/problem-responses.js';
import { DtoPipe, type UncheckedBody } from './dto.pipe.js';
import { readBody } from './json-body.js';

const ONE_MIB = 1024 * 1024;

/**
 * Injects the JSON body as the DTO, and documents it. The body is read after the guards have accepted the request. Throws 400 if it is
 * malformed or not an object, 413 if it exceeds `maxBytes`, 415 if it is not JSON, and 422 with the path of each invalid value.
 */
export function JsonBody<Dto extends object>(dto: Type<Dto>, maxBytes = ONE_MIB): ParameterDecorator {
  return bodyParameter(dto, maxBytes, new DtoPipe(dto));
}

/** Like `JsonBody`, but a request without a body counts as one with an empty object. */
export function OptionalJsonBody<Dto extends object>(dto: Type<Dto>): ParameterDecorator {
  return bodyParameter(dto, ONE_MIB, new DtoPipe(dto), true);
}

/** Like `JsonBody`, for a body that contains values of a schema. Injects a `Checked<Dto>` and leaves the 422 to the handler. */
export function JsonBodyWithValues<Dto extends object>(dto: Type<Dto>, maxBytes = ONE_MIB): ParameterDecorator {
  return bodyParameter(dto, maxBytes, new DtoPipe(dto, 'with errors'));
}

function bodyParameter(dto: Type, maxBytes: number, pipe: DtoPipe<object>, isOptional = false): ParameterDecorator {
  const read = BodyText({ maxBytes, isOptional }, pipe);
  return (target, method, index) => {
    read(target, method, index);
    const descriptor = method === undefined ? undefined : Object.getOwnPropertyDescriptor(target, method);
    if (method === undefined || !descriptor) return;
    limitBody(descriptor.value as object, { json: maxBytes });
    ApiBody({ type: dto, required: !isOptional })(target, method, descriptor);
    ProblemResponses(
      'malformed_json',
      'request_timeout',
      'payload_too_large',
      'unsupported_media_type',
      'validation_failed',
    )(target, method, descriptor);
  };
}

const BODY_LIMIT = Symbol('body limit');

/** The maximum numbers of bytes of a body. */
export interface BodyLimits {
  json: number;
  /** Of a form; undefined if the handler takes none. The texts of one in multipart have at most `json`. */
  form?: number;
  /** Of all files of a form in multipart. */
  files?: number;
}

/** Returns the limits of a handler's body; undefined if the handler takes none. */
export function bodyLimitsOf(handler: object): BodyLimits | undefined {
  return Reflect.getMetadata(BODY_LIMIT, handler) as BodyLimits | undefined;
}

/** The extension of an operation that holds `FormSchemas`. The document has them as content types instead. */
export const FORM_SCHEMA = 'x-form-schema';

/** The schemas of a body that is sent as a form: URL-encoded, if the handler takes that, and as multipart, which may contain files. */
export interface FormBodySchemas {
  form?: object;
  multipart: object;
}

/** Sets what `bodyLimitsOf` returns for a handler that reads its body in another way. */
export function limitBody(handler: object, limits: BodyLimits): void {
  Reflect.defineMetadata(BODY_LIMIT, limits, handler);
}

interface BodyOptions {
  maxBytes: number;
  isOptional: boolean;
}

const BodyText = createParamDecorator(
  async ({ maxBytes, isOptional }: BodyOptions, context: ExecutionContext): Promise<UncheckedBody> => {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (isOptional && isWithoutBody(request)) return { text: '{}', queueKey: queueKeyOf(request) };
    const text = await readBody(request, http.getResponse<Response>(), maxBytes);
    return { text, queueKey: queueKeyOf(request) };
  },
);

/** RFC 9112, 6: a request has a body if it has one of these headers. */
function isWithoutBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}

/** Returns the key under which heavy work on the request takes turns. */
export function queueKeyOf({ caller, params, ip }: Request): string {
  return caller?.tenantId ?? publicKey(String(params['tenant_id'] ?? ip));
}
