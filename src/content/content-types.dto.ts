import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Allow, IsBoolean, IsDefined, IsIn } from 'class-validator';
import { checkDefinitions } from '../fields/definitions/definitions.js';
import type { FieldDefinition, SentDefinition } from '../fields/field-definition.js';
import { MAX_URL } from '../fields/formats/url.js';
import { definitionReference } from '../fields/definitions/definition-components.js';
import { CheckedBy } from '../http/bodies/dto.pipe.js';
import { CreationOf, UpdateOf } from '../http/bodies/read-only.js';
import { Name, OptionalName, Slug } from '../ids/slugged.dto.js';
import { type SearchLanguage, SEARCH_LANGUAGES } from '../search/stemmer.js';
import { STEP_CLASSES, STEP_OPS } from './schema-changes/schema-plan.js';
import { IfPresent } from '../validation/if-present.js';

const FIELDS_EXAMPLE = [
  { name: 'title', type: 'text', required: true, max: 120 },
  { name: 'body', type: 'rich_text' },
  { name: 'cover', type: 'media' },
];

const fieldsSchema = {
  type: 'array' as const,
  minItems: 1,
  maxItems: 100,
  items: definitionReference('content'),
  example: FIELDS_EXAMPLE,
};

const PUBLIC =
  'Whether everybody can list and get the published entries of the content type without an API key. Responses contain it only if it was sent.';

const LANGUAGE =
  'The language of the entries. A search then finds words by their stems too (`closures` finds `closure`), except in phrases.';

const PREVIEW_URL =
  'Where a site shows an entry with its draft, an http or https URL. `{token}` stands for the token of a preview link, and the name of a field in ' +
  'braces for its value. The names must be those of fields with one text or number; the host has no braces.';

const PREVIEW_URL_EXAMPLE = 'https://site.example/{title}?preview={token}';

const mustBeLanguage = `language must be one of ${SEARCH_LANGUAGES.join(', ')}`;

@CreationOf(() => [ContentTypeDto, UpdatedContentTypeDto])
export class CreateContentTypeDto {
  @Name('Blog post')
  name!: string;

  @Slug('blog-post', 'Generated from `name` when omitted.')
  slug?: string;

  @IsDefined({ message: 'fields is required' })
  @CheckedBy((value, path, body) => checkDefinitions(body.queueKey, value, 'content', { path, ...body }))
  @ApiProperty(fieldsSchema)
  fields!: FieldDefinition[];

  @IfPresent()
  @IsBoolean({ message: 'public must be true or false' })
  @ApiPropertyOptional({ description: PUBLIC, default: false })
  public?: boolean;

  @IfPresent()
  @IsIn(SEARCH_LANGUAGES, { message: mustBeLanguage })
  @ApiPropertyOptional({ description: LANGUAGE, enum: SEARCH_LANGUAGES, example: 'en' })
  language?: SearchLanguage;

  @IfPresent()
  @Allow()
  @ApiPropertyOptional({ description: PREVIEW_URL, example: PREVIEW_URL_EXAMPLE, maxLength: MAX_URL })
  preview_url?: string;
}

@UpdateOf(() => [ContentTypeDto, UpdatedContentTypeDto])
export class UpdateContentTypeDto {
  @OptionalName('Article')
  name?: string;

  @Slug('article')
  slug?: string;

  @IfPresent()
  @CheckedBy((value, path, body) =>
    checkDefinitions(body.queueKey, value, 'content', { path, ...body, allowsRenames: true }),
  )
  @ApiPropertyOptional({
    ...fieldsSchema,
    description:
      'Replaces the whole list. The values of a removed field are hidden but stay stored. They are shown again ' +
      'when a field with the same name and type returns. `renamed_from` moves the values of a field to its new name. ' +
      'A changed type converts the values if none of them loses anything. The response is 409 when stored values would ' +
      'violate a changed type or a tightened constraint.',
  })
  fields?: SentDefinition[];

  @IfPresent()
  @IsBoolean({ message: 'public must be true or false' })
  @ApiPropertyOptional({ description: PUBLIC })
  public?: boolean;

  @IfPresent()
  @IsIn([...SEARCH_LANGUAGES, null], { message: `${mustBeLanguage}, or null` })
  @ApiPropertyOptional({
    description: `${LANGUAGE} A change reads all entries of the content type. \`null\` removes the language.`,
    type: String,
    enum: [...SEARCH_LANGUAGES, null],
    nullable: true,
    example: 'en',
  })
  language?: SearchLanguage | null;

  @IfPresent()
  @Allow()
  @ApiPropertyOptional({
    description: `${PREVIEW_URL} \`null\` removes it.`,
    type: String,
    nullable: true,
    example: PREVIEW_URL_EXAMPLE,
    maxLength: MAX_URL,
  })
  preview_url?: string | null;
}

class ContentTypeBase {
  @ApiProperty({ example: 'ct_01k9mzh6xze3n8mqsd5wkxp2zt' })
  id!: string;

  @ApiProperty({ example: 'Blog post' })
  name!: string;

  @ApiProperty({ example: 'blog-post' })
  slug!: string;

  @ApiProperty({
    ...fieldsSchema,
    description: 'The field definitions with the attributes that were sent, in the same order.',
  })
  fields!: FieldDefinition[];

  @ApiPropertyOptional({ description: PUBLIC })
  public?: boolean;

  @ApiPropertyOptional({
    description: 'The language of the entries. Responses contain it only if the content type has one; lists do not.',
    enum: SEARCH_LANGUAGES,
    example: 'en',
  })
  language?: SearchLanguage;

  @ApiPropertyOptional({
    description:
      'Where a site shows an entry with its draft. Responses contain it only if the content type has one; lists do not.',
    example: PREVIEW_URL_EXAMPLE,
  })
  preview_url?: string;
}

/** A content type as list, get and create return it. */
export class ContentTypeDto extends ContentTypeBase {
  @ApiProperty({ format: 'date-time', example: '2026-01-31T09:30:00.000Z' })
  created_at!: string;
}

/** A content type as update returns it. */
export class UpdatedContentTypeDto extends ContentTypeBase {
  @ApiProperty({ format: 'date-time', example: '2026-01-31T09:30:00.000Z' })
  updated_at!: string;
}

class PlanSampleDto {
  @ApiProperty({ example: 'ent_01k9mzh6xze3n8mqsd5wkxp2zt' })
  entry_id!: string;

  @ApiProperty({ example: 'price must be a number.' })
  message!: string;
}

export class PlanStepDto {
  @ApiProperty({ enum: STEP_OPS })
  op!: (typeof STEP_OPS)[number];

  @ApiProperty({
    description:
      'The name of the field after the change, or of the removed field. Inside a group or a block with the names around it: `seo.title`, ' +
      '`sections.hero.title`; `sections.hero` is the block itself.',
    example: 'price',
  })
  field!: string;

  @ApiProperty({
    enum: STEP_CLASSES,
    description:
      '`needs_data`: stored values are in the way, and the change would be 409. `lossy`: values are hidden. They stay stored, and are shown ' +
      'again when the field returns.',
  })
  class!: (typeof STEP_CLASSES)[number];

  @ApiProperty({
    type: 'integer',
    description:
      'The number of entries with a value that the step concerns. 0 for `relax` and `describe`, which leave values alone.',
    example: 120,
  })
  entries!: number;

  @ApiProperty({ type: 'integer', description: 'The number of entries whose values are in the way.', example: 0 })
  failing!: number;

  @ApiProperty({ type: [PlanSampleDto], maxItems: 10, description: 'Some of the failing entries.' })
  samples!: PlanSampleDto[];
}

/** What an update of a content type would do. */
export class SchemaPlanDto {
  @ApiProperty({ type: 'integer', description: 'The number in the `ETag` of the content type.', example: 3 })
  from_version!: number;

  @ApiProperty({ type: [PlanStepDto] })
  steps!: PlanStepDto[];
}

export const dryRunParameter = {
  name: 'dry_run',
  schema: { type: 'boolean' as const },
  description: 'If `true`, nothing is changed, and the response is the plan of the change.',
};
