import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { PlanStepDto } from '../content/content-types.dto.js';
import { SchemaChangeDto } from '../content/schema-changes/online/schema-changes.dto.js';
import { ITEM_KINDS, SCHEMA_OPS } from './schema-steps.js';

class SchemaStepDto extends OmitType(PlanStepDto, ['op', 'field']) {
  @ApiProperty({ enum: ITEM_KINDS })
  kind!: (typeof ITEM_KINDS)[number];

  @ApiProperty({
    description: 'The slug of the content type or form, the URL of the webhook, or the code of the locale.',
    example: 'blog-post',
  })
  item!: string;

  @ApiProperty({ enum: SCHEMA_OPS })
  op!: (typeof SCHEMA_OPS)[number];

  @ApiPropertyOptional({
    description: 'The field or the property that the step is about, unless it is about the whole item.',
    example: 'price',
  })
  field?: string;
}

/** What applying a document would do. */
export class PlannedSchemaDto {
  @ApiProperty({ type: [SchemaStepDto] })
  steps!: SchemaStepDto[];

  @ApiProperty({ description: 'Send it with the same document to apply the plan.', example: 'mX0yWJ4m3Q2uQ0s8B1t5Zg' })
  hash!: string;
}

class StartedChangeDto extends SchemaChangeDto {
  @ApiProperty({ description: 'The slug of the content type.', example: 'blog-post' })
  content_type!: string;
}

/** What applying a document did. */
export class AppliedSchemaDto {
  @ApiProperty({ type: [SchemaStepDto] })
  steps!: SchemaStepDto[];

  @ApiProperty({ type: [StartedChangeDto], description: 'The changes of large content types that go on.' })
  changes!: StartedChangeDto[];
}
