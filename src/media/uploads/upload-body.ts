import { Injectable, type PipeTransform } from '@nestjs/common';
import { ApiBody, ApiExtension } from '@nestjs/swagger';
import { ProblemResponses } from '../../errors/problem-responses.js';
import { DtoPipe } from '../../http/bodies/dto.pipe.js';
import { type HttpExchange, WithExchange } from '../../http/bodies/exchange.js';
import { type FormBodySchemas, FORM_SCHEMA, limitBody, queueKeyOf } from '../../http/bodies/json-body.decorator.js';
import { readBody } from '../../http/bodies/json-body.js';
import { JSON_TYPE, mediaTypeOf } from '../../http/bodies/media-type.js';
import { FetchMediaDto, uploadSchema } from '../media.dto.js';
import { receiveUpload, type ReceiveUpload } from './multipart.js';

/** Bytes of a body that names a file by its URL. */
const JSON_BYTES = 16 * 1024;

/** What an upload sends: the file, or where it is. */
export type UploadBody = { receive: ReceiveUpload } | { receive?: undefined; from: FetchMediaDto };

/** Reads JSON. A body in multipart is read later, when it is the turn of the upload. */
@Injectable()
export class UploadBodyPipe implements PipeTransform<HttpExchange, Promise<UploadBody>> {
  private readonly json = new DtoPipe(FetchMediaDto);

  async transform({ request, response }: HttpExchange): Promise<UploadBody> {
    if (mediaTypeOf(request).type !== JSON_TYPE) {
      return { receive: (path, options) => receiveUpload(request, path, options) };
    }
    const text = await readBody(request, response, JSON_BYTES);
    return { from: (await this.json.transform({ text, queueKey: queueKeyOf(request) })) as FetchMediaDto };
  }
}

/** Injects the `UploadBody`, and documents it. */
export function UploadBodyParam(): ParameterDecorator {
  const read = WithExchange(UploadBodyPipe);
  return (target, method, index) => {
    read(target, method, index);
    const descriptor = method === undefined ? undefined : Object.getOwnPropertyDescriptor(target, method);
    if (method === undefined || !descriptor) return;
    limitBody(descriptor.value as object, { json: JSON_BYTES });
    ApiExtension(FORM_SCHEMA, { multipart: uploadSchema } satisfies FormBodySchemas)(target, method, descriptor);
    ApiBody({ type: FetchMediaDto, required: true })(target, method, descriptor);
    ProblemResponses(
      'malformed_json',
      'malformed_multipart',
      'request_timeout',
      'payload_too_large',
      'unsupported_media_type',
      'validation_failed',
      'insufficient_storage',
    )(target, method, descriptor);
  };
}
