import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsDefined, IsIn, ValidateBy } from 'class-validator';
import { MAX_URL } from 'trivet/fields/formats/url.js';
import { CreationOf, UpdateOf } from 'trivet/http/bodies/read-only.js';
import { IfPresent } from 'trivet/validation/if-present.js';
import { isPath, isTarget, MAX_PATH } from './paths.js';
import { REDIRECT_STATUSES, type RedirectStatus } from './redirect.entity.js';

const sourceSchema = {
  type: 'string' as const,
  maxLength: MAX_PATH,
  example: '/old-page',
  description: 'The path that has moved, without a query. A tenant has at most one redirect for each path.',
};

const targetSchema = {
  type: 'string' as const,
  maxLength: MAX_URL,
  example: '/new-page',
  description: 'Where visitors are sent: a path of the same website, or an http or https URL.',
};

const statusSchema = {
  type: 'integer' as const,
  enum: [...REDIRECT_STATUSES],
  example: 301,
  description: 'The HTTP status of the redirect.',
};

function Source(): PropertyDecorator {
  return CheckedText('isPath', isPath, 'source must be a path such as /old-page');
}

function Target(): PropertyDecorator {
  return CheckedText('isTarget', isTarget, 'target must be a path such as /new-page, or an http or https URL');
}

function Status(): PropertyDecorator {
  return applyDecorators(
    IfPresent(),
    IsIn(REDIRECT_STATUSES, { message: `status must be one of ${REDIRECT_STATUSES.join(', ')}` }),
  );
}

function CheckedText(name: string, isValid: (text: string) => boolean, message: string): PropertyDecorator {
  const validate = (value: unknown) => typeof value === 'string' && isValid(value);
  return ValidateBy({ name, validator: { validate, defaultMessage: () => message } });
}

@CreationOf(() => [RedirectDto])
export class CreateRedirectDto {
  @IsDefined({ message: 'source is required' })
  @Source()
  @ApiProperty(sourceSchema)
  source!: string;

  @IsDefined({ message: 'target is required' })
  @Target()
  @ApiProperty(targetSchema)
  target!: string;

  @Status()
  @ApiPropertyOptional({ ...statusSchema, default: 301 })
  status?: RedirectStatus;
}

@UpdateOf(() => [RedirectDto])
export class UpdateRedirectDto {
  @IfPresent()
  @Source()
  @ApiPropertyOptional(sourceSchema)
  source?: string;

  @IfPresent()
  @Target()
  @ApiPropertyOptional(targetSchema)
  target?: string;

  @Status()
  @ApiPropertyOptional(statusSchema)
  status?: RedirectStatus;
}

/** A redirect as every endpoint returns it. */
export class RedirectDto {
  @ApiProperty({ example: 'rdr_01k9mzh6xze3n8mqsd5wkxp2zt' })
  id!: string;

  @ApiProperty(sourceSchema)
  source!: string;

  @ApiProperty(targetSchema)
  target!: string;

  @ApiProperty(statusSchema)
  status!: RedirectStatus;

  @ApiProperty({ format: 'date-time', example: '2026-01-31T09:30:00.000Z' })
  created_at!: string;

  @ApiProperty({ format: 'date-time', example: '2026-01-31T09:30:00.000Z' })
  updated_at!: string;
}
