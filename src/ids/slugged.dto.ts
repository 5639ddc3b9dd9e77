import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsDefined, IsString, Length, Matches, MaxLength } from 'class-validator';
import { Trimmed } from '../http/bodies/trimmed.js';
import { MAX_SLUG_LENGTH, SLUG_PATTERN } from './slug.js';
import { IfPresent } from '../validation/if-present.js';

/** A display name in a body: 1 to 255 characters after trimming. */
export function Name(example: string): PropertyDecorator {
  return applyDecorators(
    IsDefined({ message: 'name is required' }),
    NameText(),
    ApiProperty({
      minLength: 1,
      maxLength: 255,
      example,
      description:
        'The display name. White space and other invisible characters at the beginning and the end are removed.',
    }),
  );
}

/** Like `Name`, but optional. */
export function OptionalName(example: string): PropertyDecorator {
  return applyDecorators(IfPresent(), NameText(), ApiPropertyOptional({ minLength: 1, maxLength: 255, example }));
}

/** An optional slug in a body. */
export function Slug(example: string, description?: string): PropertyDecorator {
  return applyDecorators(
    IfPresent(),
    IsString({ message: 'slug must be a string' }),
    MaxLength(MAX_SLUG_LENGTH, { message: `slug must have at most ${MAX_SLUG_LENGTH} characters` }),
    Matches(SLUG_PATTERN, { message: 'slug must consist of lower-case letters, digits and single hyphens' }),
    ApiPropertyOptional({ maxLength: MAX_SLUG_LENGTH, pattern: SLUG_PATTERN.source, example, description }),
  );
}

function NameText(): PropertyDecorator {
  return applyDecorators(
    IsString({ message: 'name must be a string' }),
    Length(1, 255, { message: 'name must have 1 to 255 characters' }),
    Trimmed(),
  );
}
