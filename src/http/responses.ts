import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiProperty, ApiResponse, getSchemaPath } from '@nestjs/swagger';

/** The response to a deletion. */
export class MessageDto {
  @ApiProperty({ example: 'The entry was deleted.' })
  message!: string;
}

const DESCRIPTIONS = {
  200: 'The request succeeded.',
  201: 'The resource was created.',
  202: 'The request was accepted.',
};

/** Documents a single resource as `{data: …}`. */
export function DataResponse(record: Type, status: keyof typeof DESCRIPTIONS = 200): MethodDecorator {
  return applyDecorators(
    ApiExtraModels(record),
    ApiResponse({
      status,
      description: DESCRIPTIONS[status],
      schema: {
        type: 'object',
        required: ['data'],
        properties: { data: { $ref: getSchemaPath(record) } },
        additionalProperties: false,
      },
    }),
  );
}

/** Documents one of several resources as `{data: …}`. */
export function OneOfResponse(...records: Type[]): MethodDecorator {
  return applyDecorators(
    ApiExtraModels(...records),
    ApiResponse({
      status: 200,
      description: DESCRIPTIONS[200],
      schema: {
        type: 'object',
        required: ['data'],
        properties: { data: { oneOf: records.map((record) => ({ $ref: getSchemaPath(record) })) } },
        additionalProperties: false,
      },
    }),
  );
}

/** Documents a list without pages as `{data: […]}`. */
export function DataListResponse(record: Type): MethodDecorator {
  return applyDecorators(
    ApiExtraModels(record),
    ApiResponse({
      status: 200,
      description: DESCRIPTIONS[200],
      schema: {
        type: 'object',
        required: ['data'],
        properties: { data: { type: 'array', items: { $ref: getSchemaPath(record) } } },
        additionalProperties: false,
      },
    }),
  );
}

export function MessageResponse(description = 'The resource was deleted.'): MethodDecorator {
  return ApiOkResponse({ description, type: MessageDto });
}

export interface Message {
  message: string;
}
