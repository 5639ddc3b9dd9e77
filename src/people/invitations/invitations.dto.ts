import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsObject, IsString, Matches, MaxLength } from 'class-validator';
import { Trimmed } from '../../http/bodies/trimmed.js';
import { IfPresent } from '../../validation/if-present.js';
import { MAX_PASSWORD, PERSON_NAME } from '../person-input.js';
import { PASSKEY_NAME, PASSKEY_NAME_MESSAGE, passkeyNameSchema } from '../passkeys/passkeys.dto.js';

export class AcceptInvitationDto {
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
    maxLength: MAX_PASSWORD,
    example: 'four words of my own',
    description: '8 to 256 characters, not a common password, and without the name and the address.',
  })
  password?: string;

  @IfPresent()
  @IsObject({ message: 'passkey must be an object' })
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description:
      'In the place of a password: the answer to the options of *Get options for a passkey of an invitation*, as `startRegistration` of ' +
      '`@simplewebauthn/browser` returns it.',
  })
  passkey?: Record<string, unknown>;

  @IfPresent()
  @Matches(PASSKEY_NAME, { message: `passkey_name ${PASSKEY_NAME_MESSAGE}` })
  @Trimmed()
  @ApiPropertyOptional(passkeyNameSchema)
  passkey_name?: string;
}

class InvitingTenantDto {
  @ApiProperty({ example: 'ten_acme' })
  id!: string;

  @ApiProperty({ example: 'Acme' })
  name!: string;
}

export class InvitationDto {
  @ApiProperty({ type: InvitingTenantDto })
  tenant!: InvitingTenantDto;

  @ApiProperty({ example: 'ada@example.com' })
  email!: string;

  @ApiPropertyOptional({ example: 'Ada Lovelace', description: 'The name that the inviter suggests.' })
  name?: string;

  @ApiPropertyOptional({
    type: 'boolean',
    enum: [true],
    description: 'Set if the address has an account: then only a session of this person accepts the invitation.',
  })
  sign_in?: true;
}
