import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsDefined, Length, Matches } from 'class-validator';
import { LocalesDto } from '../content/locales/locales.dto.js';
import { CheckedBy } from '../http/bodies/dto.pipe.js';
import { IfPresent } from '../validation/if-present.js';
import { checkDocument } from './check-document.js';
import type { SchemaDocument } from './schema-document.js';
import { SchemaFormDto, SchemaTypeDto, SchemaWebhookDto } from './schema-items.dto.js';
import { MAX_ITEMS } from './schema-document.js';

class SchemaItemsDto {
  @ApiProperty({ type: [SchemaTypeDto], maxItems: MAX_ITEMS })
  types!: SchemaTypeDto[];

  @ApiProperty({ type: [SchemaFormDto], maxItems: MAX_ITEMS })
  forms!: SchemaFormDto[];

  @ApiProperty({ type: [SchemaWebhookDto], maxItems: MAX_ITEMS })
  webhooks!: SchemaWebhookDto[];
}

/** The schema of a tenant. */
export class SchemaDocumentDto extends SchemaItemsDto {
  @ApiProperty({ type: LocalesDto })
  locales!: LocalesDto;
}

class SentDocumentDto extends SchemaItemsDto {
  @ApiPropertyOptional({ type: LocalesDto, description: 'Without them, the locales stay as they are.' })
  locales?: LocalesDto;
}

/** A document, and what may become of the rest. */
export class PlanSchemaDto {
  @IsDefined({ message: 'document is required' })
  @CheckedBy(checkDocument)
  @ApiProperty({ type: SentDocumentDto })
  document!: SchemaDocument;

  @IfPresent()
  @IsBoolean({ message: 'prune must be true or false' })
  @ApiPropertyOptional({ description: 'Deletes what the document does not have.', default: false })
  prune?: boolean;

  @IfPresent()
  @IsBoolean({ message: 'allow_lossy must be true or false' })
  @ApiPropertyOptional({ description: 'Allows steps of the class `lossy`.', default: false })
  allow_lossy?: boolean;
}

export class ApplySchemaDto extends PlanSchemaDto {
  @IsDefined({ message: 'hash is required' })
  @Length(1, 100, { message: 'hash must be that of the plan' })
  @Matches(/^[\w-]+$/, { message: 'hash must be that of the plan' })
  @ApiProperty({ description: 'That of the plan.', example: 'mX0yWJ4m3Q2uQ0s8B1t5Zg' })
  hash!: string;
}
