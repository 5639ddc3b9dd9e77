import { ApiExtraModels, ApiProperty, ApiPropertyOptional, ApiSchema, getSchemaPath, OmitType } from '@nestjs/swagger';
import { Allow, IsDefined, IsIn } from 'class-validator';
import type { EntryStatus } from './entry.entity.js';
import { CreationOf, UpdateOf } from '../../http/bodies/read-only.js';
import { CursorMetaDto, PageMetaDto } from '../../lists/page.dto.js';
import { InLocaleDto } from '../locales/locale.dto.js';
import { IfPresent } from '../../validation/if-present.js';

export const ENTRY_STATUSES = ['draft', 'published'] as const;

const FIELDS_EXAMPLE = {
  title: 'How to brew coffee',
  body: '<p>Start with <strong>fresh</strong> beans.</p>',
  cover: { url: 'https://images.example/coffee.jpg', alt: 'A cup of coffee' },
};

@CreationOf(() => [EntryDto])
export class CreateEntryDto {
  @IsDefined({ message: 'fields is required' })
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      'Field values by field name. They must match the schema of the content type. A `null` counts as not ' +
      'supplied. A media value may contain the `id` of an uploaded media file instead of `url`. The service ' +
      'then replaces `id` with the `url` of the file, and adds the `alt` of the file when `alt` is omitted.',
    example: FIELDS_EXAMPLE,
  })
  fields!: Record<string, unknown>;

  @IfPresent()
  @IsIn(ENTRY_STATUSES, { message: 'status must be draft or published' })
  @ApiPropertyOptional({ enum: ENTRY_STATUSES, default: 'draft' })
  status?: EntryStatus;
}

@UpdateOf(() => [EntryDto])
export class UpdateEntryDto {
  @Allow()
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description:
      'Only the fields to change. A `null` removes a value. A media value may contain `id` instead of `url`.',
    example: { title: 'How to brew better coffee' },
  })
  fields?: Record<string, unknown>;

  @IfPresent()
  @IsIn(ENTRY_STATUSES, { message: 'status must be draft or published' })
  @ApiPropertyOptional({
    enum: ENTRY_STATUSES,
    description: 'Every request that sends `published` emits `entry.published`.',
  })
  status?: EntryStatus;
}

const OnlyFull = () =>
  ApiPropertyOptional({
    format: 'date-time',
    example: '2026-01-31T09:30:00.000Z',
    description: 'Only with `view=full`.',
  });

const PublishedAt = () =>
  ApiPropertyOptional({
    type: String,
    format: 'date-time',
    nullable: true,
    example: '2026-01-31T09:30:00.000Z',
    description:
      'When the entry last became published; null for drafts. Updating or publishing a published entry keeps it. Only with `view=full`.',
  });

class EntryBase extends InLocaleDto {
  @ApiProperty({ example: 'ent_01k9mzh6xze3n8mqsd5wkxp2zt' })
  id!: string;

  @ApiProperty({ example: 'ct_01k9mzh6xze3n8mqsd5wkxp2zt', description: 'The content type that the entry belongs to.' })
  content_type_id!: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'Field values by field name.',
    example: FIELDS_EXAMPLE,
  })
  fields!: Record<string, unknown>;

  @ApiProperty({ enum: ENTRY_STATUSES })
  status!: EntryStatus;
}

/** An entry as get and list return it. */
export class EntryDto extends EntryBase {
  @ApiProperty({ format: 'date-time', example: '2026-01-31T09:30:00.000Z' })
  created_at!: string;

  @ApiProperty({ format: 'date-time', example: '2026-01-31T09:30:00.000Z' })
  updated_at!: string;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'array', items: { type: 'string' } },
    description:
      'Where the entry matches the search, by field: fragments of HTML. Only in lists with `highlight=true`. It is empty ' +
      'if no word of the search is in a field.',
    example: { body: ['Start with <mark>fresh</mark> beans.'] },
  })
  highlights?: Record<string, string[]>;

  @PublishedAt()
  published_at?: string | null;
}

/** An entry in the events about it. */
export class EntryEventDataDto extends OmitType(EntryDto, [
  'highlights',
  'published_at',
  'locale',
  'fallbacks',
] as const) {
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'object', additionalProperties: true },
    description:
      'Only of content types with localized fields: the own values of the locales other than the default that are live. `fields` has those of the default.',
    example: { de: { title: 'Besseren Kaffee kochen' } },
  })
  localized?: Record<string, Record<string, unknown>>;

  @ApiPropertyOptional({
    type: [String],
    description:
      'Only of content types with localized fields: the locales whose values were changed, or that were taken off or brought back. If the status of ' +
      'the entry changes, all that readers see, or saw. That of a deletion says nothing, because the entry is gone in all of them. A value that is not localized belongs to the default locale.',
    example: ['de'],
  })
  locales_changed?: string[];
}

/** What a response with `include` has besides its entries. */
@ApiExtraModels(EntryDto)
export class WithIncludedDto {
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { $ref: getSchemaPath(EntryDto) },
    description: 'With `include`: the entries that the paths lead to, by ID, without those of the page itself.',
  })
  included?: Record<string, EntryDto>;
}

/** One entry, and with `include` the entries that it refers to. */
export class EntryResponseDto extends WithIncludedDto {
  @ApiProperty()
  data!: EntryDto;
}

export class CreatedEntryDto extends EntryBase {
  @ApiProperty({ format: 'date-time', example: '2026-01-31T09:30:00.000Z' })
  created_at!: string;

  @OnlyFull()
  updated_at?: string;

  @PublishedAt()
  published_at?: string | null;
}

export class UpdatedEntryDto extends EntryBase {
  @ApiProperty({ format: 'date-time', example: '2026-01-31T09:30:00.000Z' })
  updated_at!: string;

  @OnlyFull()
  created_at?: string;

  @PublishedAt()
  published_at?: string | null;
}

const Corrected = () =>
  ApiPropertyOptional({
    example: 'spring tide',
    description:
      'The search that was used, if `search` finds nothing and `fuzzy=true` corrected it. Corrected words have no capital letters and ' +
      'no accents.',
  });

@ApiSchema({ description: 'The `meta` of a numbered page of entries.' })
export class EntryPageMetaDto extends PageMetaDto {
  @Corrected()
  corrected?: string;
}

@ApiSchema({ description: 'The `meta` of a page of entries that is requested with `cursor`.' })
export class EntryCursorMetaDto extends CursorMetaDto {
  @Corrected()
  corrected?: string;
}
