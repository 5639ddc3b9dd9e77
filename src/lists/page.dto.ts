import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { applyDecorators, type Type } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';

/** The `meta` of a numbered page. */
class PageMetaDto {
  @ApiProperty({ type: 'integer', example: 1 })
  page!: number;

  @ApiProperty({ type: 'integer', example: 25 })
  per_page!: number;

  @ApiProperty({ type: 'integer', example: 42, description: 'The exact number of records on all pages.' })
  total!: number;
}

/** The `meta` of a page that was requested with `cursor`. */
class CursorMetaDto {
  @ApiProperty({ type: 'integer', example: 25 })
  per_page!: number;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'The `cursor` of the next page. It is `null` on the last page.',
  })
  next_cursor!: string | null;
}

/** Documents the response of a list: a numbered page or a cursor page. */
export function ListResponse(record: Type): MethodDecorator {
  return applyDecorators(
    ApiExtraModels(record, PageMetaDto, CursorMetaDto),
    ApiOkResponse({
      description: 'One page of the list.',
      schema: {
        type: 'object',
        required: ['data', 'meta'],
        properties: {
          data: { type: 'array', items: { $ref: getSchemaPath(record) } },
          meta: { oneOf: [{ $ref: getSchemaPath(PageMetaDto) }, { $ref: getSchemaPath(CursorMetaDto) }] },
        },
        additionalProperties: false,
      },
    }),
  );
}
