import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { IsBoolean, IsDefined } from 'class-validator';
import { CheckedBy } from '../../http/bodies/dto.pipe.js';
import { ProblemDto } from '../../errors/problem.dto.js';
import { IfPresent } from '../../validation/if-present.js';
import { OPERATIONS } from './operation.js';
import { checkOperations } from './read-operations.js';

export const MAX_BULK_BYTES = 8 * 1024 * 1024;

const text = (description: string, example: string) => ({ type: 'string', description, example });
const FIELDS = { type: 'object', additionalProperties: true } as const;
const STATUS = { type: 'string', enum: ['draft', 'published'] };
const CONTENT_TYPE = text('The ID or the slug of the content type.', 'posts');
const ENTRY_ID = text('The ID of the entry.', 'ent_01k9mzh6xze3n8mqsd5wkxp2zt');
const IF_MATCH = text('The `ETag` of the version that may be changed.', '"v3"');
const REF = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  description: 'A name by which reference fields of later operations refer to the entry: `{"$ref": "name"}`.',
};

const LOCALE = {
  type: 'string',
  description: 'The locale of the values of localized fields: a code, or `*` if they are objects from codes to values.',
  example: 'de',
};

const operation = (op: string, required: string[], properties: object) => ({
  type: 'object' as const,
  required: ['op', 'content_type', ...required],
  additionalProperties: false,
  properties: { op: { type: 'string', enum: [op] }, content_type: CONTENT_TYPE, ...properties },
});

const OPERATION_SCHEMAS = [
  operation('create', ['fields'], { ref: REF, fields: FIELDS, locale: LOCALE, status: STATUS }),
  operation('upsert', ['key'], {
    ref: REF,
    key: {
      type: 'object',
      additionalProperties: true,
      minProperties: 1,
      maxProperties: 1,
      description: 'One `unique` field and its value. The entry with this value is updated, or one is created with it.',
    },
    fields: FIELDS,
    locale: LOCALE,
    status: STATUS,
  }),
  operation('update', ['entry_id'], {
    entry_id: ENTRY_ID,
    fields: FIELDS,
    locale: LOCALE,
    status: STATUS,
    if_match: IF_MATCH,
  }),
  operation('delete', ['entry_id'], { entry_id: ENTRY_ID, if_match: IF_MATCH }),
];

export class BulkDto {
  @IsDefined({ message: 'operations is required' })
  @CheckedBy(checkOperations)
  @ApiProperty({
    type: 'array',
    maxItems: 1_000,
    items: { oneOf: OPERATION_SCHEMAS },
    description: 'The operations. They are carried out in this order, and each sees the changes of the earlier ones.',
    // Without a reference to the first operation: tools would take `$ref` for a reference in the document.
    example: [
      { op: 'create', content_type: 'authors', fields: { name: 'Ada' }, status: 'published' },
      { op: 'upsert', content_type: 'posts', key: { slug: 'engines' }, fields: { title: 'Engines' } },
    ],
  })
  operations!: Record<string, unknown>[];

  @IfPresent()
  @IsBoolean({ message: 'atomic must be true or false' })
  @ApiPropertyOptional({
    type: 'boolean',
    default: true,
    description:
      'With `true`, either all operations succeed, in one commit, or nothing is changed. With `false`, each operation stands alone, and ' +
      'those that fail have a `problem` in the response.',
  })
  atomic?: boolean;

  @IfPresent()
  @IsBoolean({ message: 'dry_run must be true or false' })
  @ApiPropertyOptional({
    type: 'boolean',
    default: false,
    description:
      'With `true`, the response is the same but nothing is changed. Entries that would be created have no `entry_id`.',
  })
  dry_run?: boolean;
}

/** For the OpenAPI document: the problem of one operation, or of one line of an import. */
class OperationProblemDto extends OmitType(ProblemDto, ['request_id']) {}

const TIME = { format: 'date-time', example: '2026-01-31T09:30:00.000Z' };
const ONLY_FULL = 'Of the entry, with `view=full`. Absent after a deletion, a failure and a dry run.';

export class BulkResultDto {
  @ApiProperty({
    type: 'string',
    enum: [...OPERATIONS, null],
    nullable: true,
    description: 'As it was sent. Null if there is no such operation, which has failed.',
  })
  op!: string | null;

  @ApiPropertyOptional({
    example: 'ent_01k9mzh6xze3n8mqsd5wkxp2zt',
    description: 'Absent if there is no such entry, or if `dry_run` would create it.',
  })
  entry_id?: string;

  @ApiProperty({
    enum: ['created', 'updated', 'unchanged', 'deleted', 'failed'],
    description: '`unchanged` is the result of an `upsert` that would change nothing.',
  })
  result!: string;

  @ApiPropertyOptional({ type: 'integer', example: 1, description: 'The version of the entry, as in its `ETag`.' })
  version?: number;

  @ApiPropertyOptional({ ...TIME, description: ONLY_FULL })
  created_at?: string;

  @ApiPropertyOptional({ ...TIME, description: ONLY_FULL })
  updated_at?: string;

  @ApiPropertyOptional({ ...TIME, type: String, nullable: true, description: ONLY_FULL })
  published_at?: string | null;

  @ApiPropertyOptional({
    type: OperationProblemDto,
    description:
      'Why the operation failed. The paths of its `errors` are those of the single request. At most 100 `errors` are listed.',
  })
  problem?: OperationProblemDto;
}

export class BulkMetaDto {
  @ApiProperty({ type: 'integer', example: 1 })
  created!: number;

  @ApiProperty({ type: 'integer', example: 1 })
  updated!: number;

  @ApiProperty({ type: 'integer', example: 0 })
  unchanged!: number;

  @ApiProperty({ type: 'integer', example: 0 })
  deleted!: number;

  @ApiProperty({ type: 'integer', example: 0 })
  failed!: number;
}

export class BulkResponseDto {
  @ApiProperty({
    type: [BulkResultDto],
    description: 'The result of each operation, in the order in which they were sent.',
  })
  data!: BulkResultDto[];

  @ApiProperty({ type: BulkMetaDto, description: 'The number of operations with each result.' })
  meta!: BulkMetaDto;
}
