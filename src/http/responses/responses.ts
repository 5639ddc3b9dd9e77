import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, ApiPropertyOptional, ApiResponse, getSchemaPath } from '@nestjs/swagger';

/** The response to a deletion. */
class MessageDto {
  @ApiProperty({ example: 'The entry was deleted.' })
  message!: string;
}

/** The response to a write, if the API key may not read the resource. */
export class WrittenDto {
  @ApiProperty({ description: 'The ID of the resource. An API key that may not read it learns no more.' })
  id!: string;

  @ApiPropertyOptional({ description: 'Of a webhook: the secret that the request had generated.' })
  secret?: string;
}

const DESCRIPTIONS = {
  200: 'The request succeeded.',
  201: 'The resource was created.',
  202: 'The request was accepted.',
};

/** Lists that a response has beside its `data` where there is something to list. */
type Beside = Readonly<Record<string, Type>>;

function besideSchema(beside: Beside) {
  const lists = Object.entries(beside).map(([name, record]) => {
    return [name, { type: 'array', minItems: 1, items: { $ref: getSchemaPath(record) } }] as const;
  });
  return Object.fromEntries(lists);
}

/** Documents a single resource as `{data: …}`. */
export function DataResponse(
  record: Type,
  status: keyof typeof DESCRIPTIONS = 200,
  beside: Beside = {},
): MethodDecorator {
  return applyDecorators(
    ApiExtraModels(record, ...Object.values(beside)),
    ApiResponse({
      status,
      description: DESCRIPTIONS[status],
      schema: {
        type: 'object',
        required: ['data'],
        properties: { data: { $ref: getSchemaPath(record) }, ...besideSchema(beside) },
        additionalProperties: false,
      },
    }),
  );
}

/** Documents one of several resources as `{data: …}`. */
export function OneOfResponse(...records: Type[]): MethodDecorator {
  return oneOfResponse(records, 200);
}

/** Documents the answer of `writtenAnswer`: a resource, or its ID alone for an API key that may not read it. */
export function WrittenResponse(record: Type, status: keyof typeof DESCRIPTIONS = 200): MethodDecorator {
  return oneOfResponse([record, WrittenDto], status);
}

function oneOfResponse(records: readonly Type[], status: keyof typeof DESCRIPTIONS): MethodDecorator {
  return applyDecorators(
    ApiExtraModels(...records),
    ApiResponse({
      status,
      description: DESCRIPTIONS[status],
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
export function DataListResponse(record: Type, beside: Beside = {}): MethodDecorator {
  return applyDecorators(
    ApiExtraModels(record, ...Object.values(beside)),
    ApiResponse({
      status: 200,
      description: DESCRIPTIONS[200],
      schema: {
        type: 'object',
        required: ['data'],
        properties: { data: { type: 'array', items: { $ref: getSchemaPath(record) } }, ...besideSchema(beside) },
        additionalProperties: false,
      },
    }),
  );
}

export function MessageResponse(
  description = 'The resource was deleted.',
  status: keyof typeof DESCRIPTIONS = 200,
): MethodDecorator {
  return ApiResponse({ status, description, type: MessageDto });
}

export interface Message {
  message: string;
}
