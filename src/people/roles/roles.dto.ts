import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsDefined, Matches } from 'class-validator';
import { CreationOf, UpdateOf } from '../../http/bodies/read-only.js';
import { Trimmed } from '../../http/bodies/trimmed.js';
import { IsScopes, scopesSchema as keyScopesSchema } from '../../keys/scope-list.js';
import { IfPresent } from '../../validation/if-present.js';
import { IsLocales, localesSchema } from '../../validation/locales.js';

const MAX_NAME = 100;
/** Not what looks like the ID of a role. */
const NAME = new RegExp(String.raw`^(?!rol_[0-9a-z]{26}$)[^\p{Cc}]{1,${MAX_NAME}}$`, 'u');
const NAME_FAULT = `name must be a string of 1 to ${MAX_NAME} characters, without control characters, and not the ID of a role`;

const nameSchema = { type: 'string' as const, minLength: 1, maxLength: MAX_NAME, example: 'translator' };
const scopesSchema = { ...keyScopesSchema, example: ['content:read', 'content:write@ct_01k9mzh6xze3n8mqsd5wkxp2zt'] };
const ABOUT_SCOPES =
  'What the members may do, as the scopes of a key. Nobody gives a role scopes that they do not have themselves. The slug of a content type is replaced ' +
  'with its ID.';
const ABOUT_LOCALES =
  'The locales (BCP 47) whose values the members may change. They cannot delete entries, change their status or publish all of a draft.';

@CreationOf(() => [RoleDto])
export class CreateRoleDto {
  @IsDefined({ message: 'name is required' })
  @Matches(NAME, { message: NAME_FAULT })
  @Trimmed()
  @ApiProperty({ ...nameSchema, description: 'Unique in the tenant, whatever its case.' })
  name!: string;

  @IsDefined({ message: 'scopes is required' })
  @IsScopes()
  @ApiProperty({ ...scopesSchema, description: ABOUT_SCOPES })
  scopes!: string[];

  @IsLocales()
  @ApiPropertyOptional({
    ...localesSchema,
    nullable: true,
    description: `${ABOUT_LOCALES} Without it, or with null: all.`,
  })
  locales?: string[] | null;
}

@UpdateOf(() => [RoleDto])
export class UpdateRoleDto {
  @IfPresent()
  @Matches(NAME, { message: NAME_FAULT })
  @Trimmed()
  @ApiPropertyOptional({ ...nameSchema, description: 'Unique in the tenant, whatever its case.' })
  name?: string;

  @IfPresent()
  @IsScopes()
  @ApiPropertyOptional({ ...scopesSchema, description: ABOUT_SCOPES })
  scopes?: string[];

  @IsLocales()
  @ApiPropertyOptional({ ...localesSchema, nullable: true, description: `${ABOUT_LOCALES} Null: all.` })
  locales?: string[] | null;
}

export class RoleDto {
  @ApiProperty({ example: 'rol_01k9mzh6xze3n8mqsd5wkxp2zt' })
  id!: string;

  @ApiProperty(nameSchema)
  name!: string;

  @ApiProperty({ type: [String], example: ['content:read', 'content:write@ct_01k9mzh6xze3n8mqsd5wkxp2zt'] })
  scopes!: string[];

  @ApiPropertyOptional({ type: [String], example: ['de', 'fr-CA'], description: `${ABOUT_LOCALES} Without it, all.` })
  locales?: string[];

  @ApiProperty({ description: 'Whether it is one of the roles that every tenant has and that nobody can change.' })
  built_in!: boolean;
}
