import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { Allow, IsBoolean } from 'class-validator';
import { CreateContentTypeDto } from '../content/content-types.dto.js';
import { definitionReference } from '../fields/definitions/definition-components.js';
import { checkDefinitions } from '../fields/definitions/definitions.js';
import type { SentDefinition } from '../fields/field-definition.js';
import { CreateFormDto } from '../forms/forms.dto.js';
import { CheckedBy } from '../http/bodies/dto.pipe.js';
import { Slug } from '../ids/slugged.dto.js';
import { MAX_SLUG_LENGTH, SLUG_PATTERN } from '../ids/slug.js';
import { IfPresent } from '../validation/if-present.js';
import { CreateWebhookDto } from '../webhooks/webhooks.dto.js';

const slugSchema = { maxLength: MAX_SLUG_LENGTH, pattern: SLUG_PATTERN.source, example: 'blog-post' };
const RENAMED_FROM = 'The slug that it had until now. It is ignored once it has the new one.';

/** A content type of a document. */
export class SchemaTypeDto extends CreateContentTypeDto {
  @ApiProperty({ ...slugSchema, required: true })
  declare slug: string;

  @Slug('post', RENAMED_FROM)
  renamed_from?: string;

  @Allow()
  @CheckedBy((value, path, body) =>
    checkDefinitions(body.queueKey, value, 'content', { path, ...body, allowsRenames: true }),
  )
  @ApiProperty({
    type: 'array',
    minItems: 1,
    maxItems: 100,
    items: definitionReference('content'),
    description:
      'References name content types by slug. `renamed_from` moves the values of a field; it is ignored once the field has its new name.',
  })
  declare fields: SentDefinition[];
}

/** A form of a document. */
export class SchemaFormDto extends CreateFormDto {
  @ApiProperty({ ...slugSchema, example: 'contact', required: true })
  declare slug: string;

  @Slug('contact-us', RENAMED_FROM)
  renamed_from?: string;
}

/** A webhook of a document. Its secret and its headers are not a part of it. */
export class SchemaWebhookDto extends OmitType(CreateWebhookDto, ['secret', 'headers']) {
  @IfPresent()
  @IsBoolean({ message: 'active must be a boolean' })
  @ApiPropertyOptional({ description: 'Only `false`: nothing is sent.', example: false })
  active?: boolean;
}
