import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsDefined, IsObject, Matches } from 'class-validator';
import { Trimmed } from '../../http/bodies/trimmed.js';
import { IfPresent } from '../../validation/if-present.js';

const MAX_NAME = 100;
/** What a person calls a passkey: one line that can be seen. */
export const PASSKEY_NAME = /^[^\p{Cc}\u2028\u2029]{1,100}$/u;
export const PASSKEY_NAME_MESSAGE = 'must be a string of 1 to 100 characters, without control characters';
export const passkeyNameSchema = {
  type: 'string' as const,
  minLength: 1,
  maxLength: MAX_NAME,
  example: 'Chrome on macOS',
  description: 'Without it, the name of the browser.',
};

const challenge = { example: 'q3fHfXcJm0hQ…', description: 'Good once, for five minutes.' };
const object = { type: 'object' as const, additionalProperties: true };
const timeout = { example: 300_000, description: 'Milliseconds.' };

/** The options of `startAuthentication` of `@simplewebauthn/browser`. */
export class PasskeyRequestOptionsDto {
  @ApiProperty({ type: 'string', ...challenge })
  challenge!: string;

  @ApiProperty({ example: 'cms.example.com' })
  rpId!: string;

  @ApiProperty({ type: 'integer', ...timeout })
  timeout!: number;

  @ApiProperty({ enum: ['required'] })
  userVerification!: 'required';
}

/** The options of `startRegistration` of `@simplewebauthn/browser`. */
export class PasskeyCreationOptionsDto {
  @ApiProperty({ type: 'string', ...challenge })
  challenge!: string;

  @ApiProperty({ ...object, example: { name: 'Trivet', id: 'cms.example.com' } })
  rp!: Record<string, unknown>;

  @ApiProperty({ ...object, example: { id: 'AY…', name: 'ada@example.com', displayName: 'Ada Lovelace' } })
  user!: Record<string, unknown>;

  @ApiProperty({ type: 'array', items: object, example: [{ alg: -7, type: 'public-key' }] })
  pubKeyCredParams!: Record<string, unknown>[];

  @ApiProperty({ type: 'integer', ...timeout })
  timeout!: number;

  @ApiProperty({ enum: ['none'] })
  attestation!: 'none';

  @ApiProperty({ type: 'array', items: object, description: 'The passkeys that the person has already.' })
  excludeCredentials!: Record<string, unknown>[];

  @ApiProperty({ ...object, example: { residentKey: 'required', userVerification: 'required' } })
  authenticatorSelection!: Record<string, unknown>;

  @ApiPropertyOptional(object)
  extensions?: Record<string, unknown>;

  @ApiPropertyOptional({ type: [String] })
  hints?: string[];
}

export class CreatePasskeyDto {
  @IsDefined({ message: 'passkey is required' })
  @IsObject({ message: 'passkey must be an object' })
  @ApiProperty({
    ...object,
    description: 'The answer to the options, as `startRegistration` of `@simplewebauthn/browser` returns it.',
  })
  passkey!: Record<string, unknown>;

  @IfPresent()
  @Matches(PASSKEY_NAME, { message: `name ${PASSKEY_NAME_MESSAGE}` })
  @Trimmed()
  @ApiPropertyOptional(passkeyNameSchema)
  name?: string;
}

const time = { type: 'string' as const, format: 'date-time', example: '2026-01-31T09:30:00.000Z' };

/** A passkey of the person who is signed in. */
export class PasskeyDto {
  @ApiProperty({ example: 'psk_01k9mzh6xze3n8mqsd5wkxp2zt' })
  id!: string;

  @ApiProperty({ example: 'Chrome on macOS' })
  name!: string;

  @ApiProperty(time)
  created_at!: string;

  @ApiProperty({ ...time, nullable: true, description: 'When it last signed in. Null before the first time.' })
  last_used_at!: string | null;
}
