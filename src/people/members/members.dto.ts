import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsDefined, IsString, Matches, MaxLength } from 'class-validator';
import { checkEmail } from '../../fields/formats/email.js';
import { CheckedBy } from '../../http/bodies/dto.pipe.js';
import { CreationOf, UpdateOf } from '../../http/bodies/read-only.js';
import { Trimmed } from '../../http/bodies/trimmed.js';
import { IfPresent } from '../../validation/if-present.js';
import { PERSON_NAME } from '../person-input.js';

const MAX_ROLE = 100;

const time = { format: 'date-time', example: '2026-01-31T09:30:00.000Z' };
const nameSchema = { type: 'string' as const, maxLength: 255, example: 'Ada Lovelace' };
const roleSchema = {
  type: 'string' as const,
  minLength: 1,
  maxLength: MAX_ROLE,
  example: 'editor',
  description: 'The name of a role, whatever its case, or its ID.',
};

@CreationOf(() => [MemberDto])
export class CreateMemberDto {
  @IsDefined({ message: 'email is required' })
  @Trimmed()
  @CheckedBy(checkEmail)
  @ApiProperty({ type: 'string', format: 'email', maxLength: 254, example: 'ada@example.com' })
  email!: string;

  @IfPresent()
  @Matches(PERSON_NAME, { message: 'name must be a string of 1 to 255 characters, without control characters' })
  @Trimmed()
  @ApiPropertyOptional({
    ...nameSchema,
    minLength: 1,
    description: 'A suggestion: the person chooses the name, or has one already.',
  })
  name?: string;

  @IsDefined({ message: 'role is required' })
  @IsString({ message: 'role must be the name or the ID of a role' })
  @MaxLength(MAX_ROLE, { message: `role must have at most ${MAX_ROLE} characters` })
  @ApiProperty(roleSchema)
  role!: string;
}

@UpdateOf(() => [MemberDto])
export class UpdateMemberDto {
  @IfPresent()
  @IsString({ message: 'role must be the name or the ID of a role' })
  @MaxLength(MAX_ROLE, { message: `role must have at most ${MAX_ROLE} characters` })
  @ApiPropertyOptional(roleSchema)
  role?: string;
}

/** A member of the tenant, or somebody who is invited. */
export class MemberDto {
  @ApiProperty({
    example: 'usr_01k9mzh6xze3n8mqsd5wkxp2zt',
    description: 'The ID of the membership. The same person has another one in another tenant.',
  })
  id!: string;

  @ApiProperty({ example: 'ada@example.com' })
  email!: string;

  @ApiProperty({ ...nameSchema, description: 'Empty if nobody has given a name yet.' })
  name!: string;

  @ApiProperty({ example: 'editor', description: 'The name of the role.' })
  role!: string;

  @ApiProperty({ enum: ['invited', 'active'], description: '`invited` until the invitation is accepted.' })
  state!: 'invited' | 'active';

  @ApiProperty({
    ...time,
    type: 'string',
    nullable: true,
    description: 'The minute of the last request in this tenant. Null before the first one.',
  })
  last_seen_at!: string | null;

  @ApiProperty({ ...time, type: 'string', description: 'When the person was invited.' })
  created_at!: string;
}
