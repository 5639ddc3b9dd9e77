import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsDefined, IsInt, Matches, Max, Min } from 'class-validator';
import { Trimmed } from '../http/bodies/trimmed.js';
import { CreationOf } from '../http/bodies/read-only.js';
import { IfPresent } from '../validation/if-present.js';
import { IsLocales, localesSchema } from '../validation/locales.js';
import { IsScopes, scopesSchema } from './scope-list.js';

/** In seconds. */
const EXPIRY = { least: 60, most: 31_536_000 };
const NAME = /^[^\p{Cc}]{1,255}$/u;

const nameSchema = { type: 'string' as const, minLength: 1, maxLength: 255, example: 'Website' };
const ABOUT_LOCALES =
  'The locales (BCP 47) whose values the key may change. It cannot delete entries, change their status or publish all of a draft.';
const time = { format: 'date-time', example: '2026-01-31T09:30:00.000Z' };

@CreationOf(() => [CreatedKeyDto])
export class CreateKeyDto {
  @IsDefined({ message: 'name is required' })
  @Matches(NAME, { message: 'name must be a string of 1 to 255 characters, without control characters' })
  @Trimmed()
  @ApiProperty({ ...nameSchema, description: 'What the key is for, without control characters. Histories show it.' })
  name!: string;

  @IsDefined({ message: 'scopes is required' })
  @IsScopes()
  @ApiProperty({
    ...scopesSchema,
    example: ['content:read:published@post', 'forms:read'],
    description:
      'What the key may do, all of which the key that makes it must be allowed to do: `*`, `read`, `write`, or scopes of a part of the API ' +
      'such as `forms:read`. `content:read`, `content:read:published`, `content:write` and `content:draft` may be narrowed to a content ' +
      'type, whose slug is replaced with its ID.',
  })
  scopes!: string[];

  @IsLocales()
  @ApiPropertyOptional({
    ...localesSchema,
    nullable: true,
    description: `${ABOUT_LOCALES} Without it, or with null: all. A caller whose locales are limited gives at most these.`,
  })
  locales?: string[] | null;

  @IfPresent()
  @IsInt({ message: 'expires_in must be an integer' })
  @Min(EXPIRY.least, { message: `expires_in must be at least ${EXPIRY.least}` })
  @Max(EXPIRY.most, { message: `expires_in must be at most ${EXPIRY.most}` })
  @ApiPropertyOptional({
    type: 'integer',
    minimum: EXPIRY.least,
    maximum: EXPIRY.most,
    example: 86_400,
    description:
      'Seconds until the key expires. Without it, the key lives as long as the key that makes it. It never lives longer than that.',
  })
  expires_in?: number;
}

/** A key, without its text. */
export class KeyDto {
  @ApiProperty({ example: 'key_01k9mzh6xze3n8mqsd5wkxp2zt' })
  id!: string;

  @ApiProperty(nameSchema)
  name!: string;

  @ApiProperty({
    type: 'array',
    items: { type: 'string' },
    example: ['content:read:published@ct_01k9mzh6xze3n8mqsd5wkxp2zt', 'forms:read'],
  })
  scopes!: string[];

  @ApiPropertyOptional({ type: [String], example: ['de', 'fr-CA'], description: `${ABOUT_LOCALES} Without it, all.` })
  locales?: string[];

  @ApiProperty({ enum: ['configuration', 'api'], description: 'Where the key comes from.' })
  source!: 'configuration' | 'api';

  @ApiProperty({ ...time, type: 'string', nullable: true, description: 'Null for a key of the configuration.' })
  created_at!: string | null;

  @ApiProperty({ ...time, type: 'string', nullable: true, description: 'Null if the key does not expire.' })
  expires_at!: string | null;

  @ApiProperty({
    ...time,
    type: 'string',
    nullable: true,
    description: 'The minute in which the key was last used. Null if it was never used.',
  })
  last_used_at!: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'key_01k9mzh6xze3n8mqsd5wkxp2zs',
    description:
      'The ID of the key or of the member that made it, or has adopted it. Null for a key of the configuration.',
  })
  created_by!: string | null;
}

export class CreatedKeyDto extends KeyDto {
  @ApiProperty({
    example: 'tvk_ThisIsOnlyAnExample0000000000000000000000000000000000',
    description: 'The key itself. It is shown only here.',
  })
  key!: string;
}
