import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsDefined, Matches, ValidateIf } from 'class-validator';
import { CreationOf, UpdateOf } from '../../http/bodies/read-only.js';
import { Trimmed } from '../../http/bodies/trimmed.js';
import { IfPresent } from '../../validation/if-present.js';

const MAX_NAME = 100;
const MAX_SCOPES = 100;
const MAX_LOCALES = 100;
/** Not what looks like the ID of a role. */
const NAME = new RegExp(String.raw`^(?!rol_[0-9a-z]{26}$)[^\p{Cc}]{1,${MAX_NAME}}$`, 'u');
const NAME_FAULT = `name must be a string of 1 to ${MAX_NAME} characters, without control characters, and not the ID of a role`;
/** Known scopes are a matter of the installed modules. */
const SCOPE = /^[!-~]{1,150}$/;
/** BCP 47. Which locales a tenant has is another matter. */
const LOCALE = /^(?=.{2,35}$)[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/;

const nameSchema = { type: 'string' as const, minLength: 1, maxLength: MAX_NAME, example: 'translator' };
const scopesSchema = {
  type: 'array' as const,
  items: { type: 'string' as const },
  minItems: 1,
  maxItems: MAX_SCOPES,
  uniqueItems: true,
  example: ['content:read', 'content:write@ct_01k9mzh6xze3n8mqsd5wkxp2zt'],
};
const localesSchema = {
  type: 'array' as const,
  items: { type: 'string' as const },
  minItems: 1,
  maxItems: MAX_LOCALES,
  uniqueItems: true,
  example: ['de', 'fr-CA'],
};
const ABOUT_SCOPES =
  'What the members may do, as the scopes of a key. Nobody gives a role scopes that they do not have themselves. The slug of a content type is replaced ' +
  'with its ID.';
const ABOUT_LOCALES =
  'The locales (BCP 47) whose values the members may change. Fields have no locales yet, so this limits no change of an entry so far.';

function IsScopes(): PropertyDecorator {
  const checks = [
    Matches(SCOPE, { each: true, message: 'scopes must be a list of the names of scopes' }),
    ArrayUnique({ message: 'scopes must be different' }),
    ArrayMaxSize(MAX_SCOPES, { message: `scopes must be a list with at most ${MAX_SCOPES} scopes` }),
    ArrayMinSize(1, { message: 'scopes must be a list with at least one scope' }),
    IsArray({ message: 'scopes must be a list' }),
  ];
  return (target, property) => checks.forEach((check) => check(target, property));
}

function IsLocales(): PropertyDecorator {
  const checks = [
    ValidateIf((_object, value) => value !== undefined && value !== null),
    Matches(LOCALE, { each: true, message: 'locales must be a list of language tags such as de or fr-CA' }),
    ArrayUnique({ message: 'locales must be different' }),
    ArrayMaxSize(MAX_LOCALES, { message: `locales must be a list with at most ${MAX_LOCALES} locales` }),
    ArrayMinSize(1, { message: 'locales must be null or a list with at least one locale' }),
    IsArray({ message: 'locales must be null or a list' }),
  ];
  return (target, property) => checks.forEach((check) => check(target, property));
}

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
