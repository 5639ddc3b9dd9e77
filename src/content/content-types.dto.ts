import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsDefined, IsIn } from 'class-validator';
import { checkDefinitions } from '../fields/definitions.js';
import type { FieldDefinition } from '../fields/field-definition.js';
import { definitionReference } from '../fields/openapi.js';
import { CheckedBy } from '../http/dto.pipe.js';
import { Name, OptionalName, Slug } from '../ids/slugged.dto.js';
import { type Language, LANGUAGES } from '../search/stemmer.js';
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

const mustBeLanguage = `language must be one of ${LANGUAGES.join(', ')}`;

export class CreateContentTypeDto {
  @Name('Blog post')
  name!: string;

  @Slug('blog-post', 'Generated from `name` when omitted.')
  slug?: string;

  @IsDefined({ message: 'fields is required' })
  @CheckedBy((value, path, body) => checkDefinitions(body.turn, value, 'content', { path, ...body }))
  @ApiProperty(fieldsSchema)
  fields!: FieldDefinition[];

  @IfPresent()
  @IsBoolean({ message: 'public must be true or false' })
  @ApiPropertyOptional({ description: PUBLIC, default: false })
  public?: boolean;

  @IfPresent()
  @IsIn(LANGUAGES, { message: mustBeLanguage })
  @ApiPropertyOptional({ description: LANGUAGE, enum: LANGUAGES, example: 'en' })
  language?: Language;
}

export class UpdateContentTypeDto {
  @OptionalName('Article')
  name?: string;

  @Slug('article')
  slug?: string;

  @IfPresent()
  @CheckedBy((value, path, body) => checkDefinitions(body.turn, value, 'content', { path, ...body }))
  @ApiPropertyOptional({
    ...fieldsSchema,
    description:
      'Replaces the whole list. The values of a removed field are hidden but stay stored. They are shown again ' +
      'when a field with the same name and type returns. The response is 409 when stored values would violate a ' +
      'changed type or a tightened constraint.',
  })
  fields?: FieldDefinition[];

  @IfPresent()
  @IsBoolean({ message: 'public must be true or false' })
  @ApiPropertyOptional({ description: PUBLIC })
  public?: boolean;

  @IfPresent()
  @IsIn([...LANGUAGES, null], { message: `${mustBeLanguage}, or null` })
  @ApiPropertyOptional({
    description: `${LANGUAGE} A change reads all entries of the content type. \`null\` removes the language.`,
    type: String,
    enum: [...LANGUAGES, null],
    nullable: true,
    example: 'en',
  })
  language?: Language | null;
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
    enum: LANGUAGES,
    example: 'en',
  })
  language?: Language;
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
