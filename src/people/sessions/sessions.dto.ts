import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsObject, IsString, MaxLength } from 'class-validator';
import { IfPresent } from '../../validation/if-present.js';

const time = { format: 'date-time', example: '2026-01-31T09:30:00.000Z' };
/** Longer than any password, key or token. */
const MAX_SECRET = 1_024;

/** One of: an email address with a password, an API key, the token of a sign-in link, or the answer of a passkey. */
export class SignInDto {
  @IfPresent()
  @IsString({ message: 'email must be a string' })
  @MaxLength(MAX_SECRET, { message: `email must have at most ${MAX_SECRET} characters` })
  @ApiPropertyOptional({ type: 'string', maxLength: MAX_SECRET, example: 'ada@example.com' })
  email?: string;

  @IfPresent()
  @IsString({ message: 'password must be a string' })
  @MaxLength(MAX_SECRET, { message: `password must have at most ${MAX_SECRET} characters` })
  @ApiPropertyOptional({ type: 'string', maxLength: MAX_SECRET, example: 'four words of my own' })
  password?: string;

  @IfPresent()
  @IsString({ message: 'key must be a string' })
  @MaxLength(MAX_SECRET, { message: `key must have at most ${MAX_SECRET} characters` })
  @ApiPropertyOptional({ type: 'string', maxLength: MAX_SECRET, description: 'An API key.' })
  key?: string;

  @IfPresent()
  @IsString({ message: 'token must be a string' })
  @MaxLength(MAX_SECRET, { message: `token must have at most ${MAX_SECRET} characters` })
  @ApiPropertyOptional({ type: 'string', maxLength: MAX_SECRET, description: 'The token of a sign-in link.' })
  token?: string;

  @IfPresent()
  @IsObject({ message: 'passkey must be an object' })
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description:
      'The answer to the options of *Get options for a passkey*, as `startAuthentication` of `@simplewebauthn/browser` returns it.',
  })
  passkey?: Record<string, unknown>;
}

class SessionUserDto {
  @ApiProperty({
    example: 'usr_01k9mzh6xze3n8mqsd5wkxp2zt',
    description: 'The ID of the membership in the first of the tenants.',
  })
  id!: string;

  @ApiProperty({ example: 'Ada Lovelace' })
  name!: string;

  @ApiProperty({ example: 'ada@example.com' })
  email!: string;
}

class SessionKeyDto {
  @ApiProperty({ example: 'key_01k9mzh6xze3n8mqsd5wkxp2zt' })
  id!: string;

  @ApiProperty({ example: 'backend' })
  name!: string;
}

/** A tenant that the session may enter, and what it may do there. */
export class EnteredTenantDto {
  @ApiProperty({ example: 'ten_acme' })
  id!: string;

  @ApiProperty({ example: 'Acme' })
  name!: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'editor',
    description: 'The name of the role. For a key, the built-in role that has the same scopes, or null.',
  })
  role!: string | null;

  @ApiProperty({ type: [String], example: ['content:read', 'content:write'] })
  scopes!: string[];

  @ApiPropertyOptional({
    type: [String],
    example: ['de'],
    description: 'The locales of the role or key, whose values may be changed. Absent: all.',
  })
  locales?: string[];

  @ApiPropertyOptional({ example: 'usr_01k9mzh6xze3n8mqsd5wkxp2zt', description: 'The ID of the membership.' })
  user_id?: string;
}

export class SessionDto {
  @ApiProperty({ example: 'ses_01k9mzh6xze3n8mqsd5wkxp2zt' })
  id!: string;

  @ApiPropertyOptional({ type: SessionUserDto, description: 'Absent for an API key.' })
  user?: SessionUserDto;

  @ApiPropertyOptional({ type: SessionKeyDto, description: 'Absent for a person.' })
  key?: SessionKeyDto;

  @ApiProperty({ type: [EnteredTenantDto], description: 'Oldest membership first.' })
  tenants!: EnteredTenantDto[];

  @ApiProperty({ ...time, type: 'string' })
  created_at!: string;

  @ApiProperty({ ...time, type: 'string', description: 'When it ends unless another request is made in it.' })
  expires_at!: string;
}

class OidcMethodDto {
  @ApiProperty({ example: 'company' })
  id!: string;

  @ApiProperty({ example: 'Acme' })
  name!: string;
}

/** The ways of signing in that the installation offers. */
export class SignInMethodsDto {
  @ApiProperty()
  password!: boolean;

  @ApiProperty({
    description: 'Whether passkeys are offered. They need a `PUBLIC_URL` (or `CONSOLE_URL`) with a domain.',
  })
  passkeys!: boolean;

  @ApiProperty({ type: [OidcMethodDto] })
  oidc!: OidcMethodDto[];
}
