import { ApiProperty, ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import { InLocaleDto } from '../locales/locale.dto.js';
import { VERSION_ACTIONS } from './entry-version.js';

/** A version as the list of versions shows it. */
export class VersionDto {
  @ApiProperty({ type: 'integer', example: 7, description: 'The number in the `ETag` of the entry: `"v7"`.' })
  version!: number;

  @ApiProperty({
    enum: VERSION_ACTIONS,
    description:
      'What made the version. `published` is an update that sent `published`, `unpublished` is an update of a published entry to ' +
      '`draft`, and `scheduled` was carried out by a schedule.',
  })
  action!: string;

  @ApiProperty({ enum: ['draft', 'published'] })
  status!: string;

  @ApiProperty({
    type: [String],
    example: ['title'],
    description: 'The fields whose values differ from the version before.',
  })
  changed!: string[];

  @ApiPropertyOptional({
    example: 'website',
    description:
      'The name of the API key or of the person who made the change, or `schedule`. `former member` for a person who is no longer a member.',
  })
  by?: string;

  @ApiPropertyOptional({
    example: 'usr_01k9mzh6xze3n8mqsd5wkxp2zt',
    description: 'The ID of the member who made the change, if it was a person.',
  })
  by_user?: string;

  @ApiProperty({ format: 'date-time', example: '2026-01-31T09:30:00.000Z' })
  at!: string;
}

/** A version with its values. */
export class WholeVersionDto extends IntersectionType(VersionDto, InLocaleDto) {
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      'The values as they were, under the names and in the types that their fields have today. Values of fields that the content type no ' +
      'longer has, and values that do not convert to the type of today, are left out.',
    example: { title: 'How to brew coffee' },
  })
  fields!: Record<string, unknown>;
}

const VALUE = {
  oneOf: [
    { type: 'string' },
    { type: 'number' },
    { type: 'boolean' },
    { type: 'array', items: {} },
    { type: 'object', additionalProperties: true },
  ],
};

/** A field whose value differs between two versions. */
export class FieldDifferenceDto {
  @ApiProperty({ example: 'title' })
  field!: string;

  @ApiPropertyOptional({ example: 'de', description: 'Only of a localized field.' })
  locale?: string;

  @ApiPropertyOptional({ ...VALUE, description: 'Absent if there was no value.', example: 'How to brew coffee' })
  before?: unknown;

  @ApiPropertyOptional({ ...VALUE, description: 'Absent if there is no value.', example: 'How to brew better coffee' })
  after?: unknown;
}
