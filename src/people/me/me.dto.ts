import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { IsString, Matches, MaxLength } from 'class-validator';
import { CheckedBy } from '../../http/bodies/dto.pipe.js';
import { Trimmed } from '../../http/bodies/trimmed.js';
import type { ValueError } from '../../errors/problem.js';
import { isRecord } from '../../fields/record.js';
import { MAX_PASSWORD, PERSON_NAME } from '../person-input.js';
import { EnteredTenantDto, SessionDto } from '../sessions/sessions.dto.js';
import { IfPresent } from '../../validation/if-present.js';

/** A person is hardly a member of more tenants. */
const MAX_NOTICES = 1_000;

function checkNotices(value: unknown, path: string): ValueError[] {
  if (!isRecord(value))
    return [{ path, code: 'type', message: `${path} must be an object of tenants with true or false.` }];
  const notices = Object.entries(value);
  if (notices.length > MAX_NOTICES)
    return [{ path, code: 'length', message: `${path} must have at most ${MAX_NOTICES} tenants.` }];
  return notices.flatMap(([tenant, one]) =>
    typeof one === 'boolean'
      ? []
      : [{ path: `${path}.${tenant}`, code: 'type' as const, message: `${path}.${tenant} must be true or false.` }],
  );
}

export class UpdateMeDto {
  @IfPresent()
  @Matches(PERSON_NAME, { message: 'name must be a string of 1 to 255 characters, without control characters' })
  @Trimmed()
  @ApiPropertyOptional({ type: 'string', minLength: 1, maxLength: 255, example: 'Ada Lovelace' })
  name?: string;

  @IfPresent()
  @IsString({ message: 'password must be a string' })
  @MaxLength(MAX_PASSWORD, { message: `password must have at most ${MAX_PASSWORD} characters` })
  @ApiPropertyOptional({
    type: 'string',
    description:
      'A new password of 8 to 256 characters. It must not be a common one, and not contain the name or the address.',
  })
  password?: string;

  @IfPresent()
  @IsString({ message: 'current_password must be a string' })
  @MaxLength(MAX_PASSWORD, { message: `current_password must have at most ${MAX_PASSWORD} characters` })
  @ApiPropertyOptional({ type: 'string', description: 'Required with `password`, unless the person has none yet.' })
  current_password?: string;

  @IfPresent()
  @CheckedBy(checkNotices)
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'boolean' },
    maxProperties: MAX_NOTICES,
    example: { ten_acme: true },
    description: 'The tenants, by their IDs, about whose reviews the person receives emails.',
  })
  notify_reviews?: Record<string, boolean>;
}

const time = { format: 'date-time', example: '2026-01-31T09:30:00.000Z' };

/** Where a person is signed in. */
export class MySessionDto {
  @ApiProperty({ example: 'ses_01k9mzh6xze3n8mqsd5wkxp2zt' })
  id!: string;

  @ApiProperty({ ...time, type: 'string' })
  created_at!: string;

  @ApiProperty({ ...time, type: 'string', description: 'The minute of the last request.' })
  last_seen_at!: string;

  @ApiProperty({ example: 'Firefox on macOS' })
  browser!: string;

  @ApiProperty({ description: 'Whether the request was made in this session.' })
  current!: boolean;
}

class MyTenantDto extends EnteredTenantDto {
  @ApiPropertyOptional({
    example: true,
    description: 'Whether the person receives emails about reviews of the tenant. Absent for an API key.',
  })
  notify_reviews?: boolean;
}

export class MeDto extends OmitType(SessionDto, ['id', 'tenants', 'created_at', 'expires_at']) {
  @ApiProperty({ type: [MyTenantDto], description: 'Oldest membership first.' })
  tenants!: MyTenantDto[];
}
