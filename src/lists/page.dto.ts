import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiProperty, ApiSchema, getSchemaPath } from '@nestjs/swagger';

@ApiSchema({ description: 'The `meta` of a numbered page, which is requested with `page` or without `cursor`.' })
class PageMetaDto {
  @ApiProperty({ type: 'integer', example: 1 })
  page!: number;

  @ApiProperty({ type: 'integer', example: 25 })
  per_page!: number;

  @ApiProperty({ type: 'integer', example: 42, description: 'The exact number of records on all pages.' })
  total!: number;
}

@ApiSchema({ description: 'The `meta` of a page that is requested with `cursor`.' })
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
  const pages = [pageOf(record, PageMetaDto), pageOf(record, CursorMetaDto, 'CursorPage')];
  return applyDecorators(
    ApiExtraModels(...pages),
    ApiOkResponse({
      description: 'One page of the list: a numbered page, or with `cursor` a cursor page.',
      schema: { oneOf: pages.map((page) => ({ $ref: getSchemaPath(page) })) },
    }),
  );
}

/** Returns the class of a page, for example `EntryPageDto` of `EntryDto`. */
export function pageOf(record: Type, meta: Type, ending = 'Page'): Type {
  class Page {}
  Object.defineProperty(Page, 'name', { value: record.name.replace(/(Dto)?$/, `${ending}Dto`) });
  ApiProperty({ type: [record] })(Page.prototype, 'data');
  ApiProperty({ type: meta })(Page.prototype, 'meta');
  return Page;
}
