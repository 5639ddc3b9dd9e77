import type { Type } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiProperty, ApiSchema, getSchemaPath } from '@nestjs/swagger';

@ApiSchema({ description: 'The `meta` of a numbered page, which is requested with `page` or without `cursor`.' })
export class PageMetaDto {
  @ApiProperty({ type: 'integer', example: 1 })
  page!: number;

  @ApiProperty({ type: 'integer', example: 25 })
  per_page!: number;

  @ApiProperty({ type: 'integer', example: 42, description: 'The exact number of records on all pages.' })
  total!: number;
}

@ApiSchema({ description: 'The `meta` of a page that is requested with `cursor`.' })
export class CursorMetaDto {
  @ApiProperty({ type: 'integer', example: 25 })
  per_page!: number;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'The `cursor` of the next page. It is `null` on the last page.',
  })
  next_cursor!: string | null;
}

/** Documents the response of a list: a numbered page or a cursor page, which differ in their `meta`. */
export function ListResponse(
  record: Type,
  metas: Type[] = [PageMetaDto, CursorMetaDto],
  more: Type<object> = Nothing,
): MethodDecorator {
  return ApiOkResponse({
    description: 'One page of the list. With `cursor`, `meta` has the cursor of the next page instead of a total.',
    type: pageWith(more, record, metas),
  });
}

/** Returns the class of a page with one of these metas, for example `EntryPageDto` of `EntryDto`. */
export function pageOf(record: Type, ...metas: Type[]): Type {
  return pageWith(Nothing, record, metas);
}

class Nothing {}

/** The same with the properties of `more`. */
function pageWith(more: Type<object>, record: Type, metas: readonly Type[]): Type {
  @ApiExtraModels(...metas)
  class Page extends more {
    @ApiProperty({ type: [record] })
    data!: unknown[];

    @ApiProperty(metas.length > 1 ? { oneOf: metas.map(referenceTo) } : { type: metas[0] })
    meta!: object;
  }
  Object.defineProperty(Page, 'name', { value: record.name.replace(/(Dto)?$/, 'PageDto') });
  return Page;
}

function referenceTo(schema: Type): { $ref: string } {
  return { $ref: getSchemaPath(schema) };
}
