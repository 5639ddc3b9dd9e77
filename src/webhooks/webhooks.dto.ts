import { ApiProperty, ApiPropertyOptional, IntersectionType, PartialType } from '@nestjs/swagger';
import { IsBoolean, IsDefined, IsIn, IsOptional, IsString, Length } from 'class-validator';
import type { ValueError } from '../errors/problem.js';
import { CheckedBy } from '../http/bodies/dto.pipe.js';
import { CreationOf, UpdateOf } from '../http/bodies/read-only.js';
import { EVENT_TYPE } from '../openapi/event-type.js';
import { checkEventTypes } from './subscriptions/subscribed-events.js';
import { EVERY_TYPE, type SubscribedType } from './subscriptions/subscribed-events.js';
import { DISABLED_REASONS, type DisabledReason, type Signature, SIGNATURES } from './webhook.entity.js';
import { WebhookOptionsDto, WebhookOptionsInput } from './options/webhook-options.js';
import { IfPresent } from '../validation/if-present.js';
import { faultOfSecret } from './secrets/signature.js';

const urlSchema = {
  type: 'string' as const,
  format: 'uri',
  maxLength: 2048,
  example: 'https://hooks.example.com/trivet',
  description: 'An https URL of a public host, without credentials and without a fragment.',
};

const eventsSchema = {
  type: 'array' as const,
  items: { anyOf: [EVENT_TYPE, { type: 'string', enum: [EVERY_TYPE] }] },
  minItems: 1,
  uniqueItems: true,
  example: ['entry.published', 'form.submitted'],
  description: 'The types of events. `*` stands for all of them, also for those that later versions add.',
};

/** As a secret, it asks the service for one. */
export const GENERATE = 'generate';

const secretSchema = {
  type: 'string' as const,
  minLength: 1,
  maxLength: 256,
  writeOnly: true,
  // A placeholder that is not valid base64. A real secret would be copied, and everyone would know it.
  example: 'whsec_<base64 of 24 to 64 random bytes>',
};

const signatureSchema = {
  type: 'string' as const,
  enum: [...SIGNATURES],
  example: 'ed25519',
  description:
    '`ed25519`: the service makes a key pair and signs each delivery with it (`v1a` of Standard Webhooks). Receivers verify the ' +
    'signatures with `public_key`, and need no secret. It cannot be changed later.',
};

/** Checks that receivers can verify signatures with the secret. */
function checkSecret(value: unknown, path: string): ValueError[] {
  const reason = typeof value === 'string' ? faultOfSecret(value) : undefined;
  return reason === undefined ? [] : [{ path, code: 'format', message: `${path} cannot be verified: ${reason}.` }];
}

/** The options of a webhook that were set, and how its deliveries are signed. */
export class WebhookSettingsDto extends WebhookOptionsDto {
  @ApiPropertyOptional(signatureSchema)
  signature?: Signature;

  @ApiPropertyOptional({
    example: 'whpk_zxR3PDyz93pw1ds5AOldYhTAdB6WpIyzvMQveQ0zE5A=',
    description: 'The public key that verifies the `v1a` signatures, if `signature` was set: `whpk_` and base64.',
  })
  public_key?: string;
}

/** The service checks `url`, because the configuration determines which URLs are allowed. */
@CreationOf(() => [ReadWebhookDto])
export class CreateWebhookDto extends WebhookOptionsInput {
  @IsDefined({ message: 'url is required' })
  @IsString({ message: 'url must be a string' })
  @ApiProperty(urlSchema)
  url!: string;

  @IsDefined({ message: 'events is required' })
  @CheckedBy((value, path) => checkEventTypes(value, path, [EVERY_TYPE]))
  @ApiProperty(eventsSchema)
  events!: SubscribedType[];

  @IfPresent()
  @IsString({ message: 'secret must be a string' })
  @Length(1, 256, { message: 'secret must have 1 to 256 characters' })
  @CheckedBy(checkSecret)
  @ApiPropertyOptional({
    ...secretSchema,
    description:
      'The secret that signs every delivery. If it begins with `whsec_`, the rest must be base64 of 24 to 64 bytes, ' +
      'which are the key. Any other secret is used as it is, and never returned. `generate` makes the service generate a secret, which ' +
      'only this response shows.',
  })
  secret?: string;

  @IfPresent()
  @IsIn(SIGNATURES, { message: 'signature must be ed25519' })
  @ApiPropertyOptional(signatureSchema)
  signature?: Signature;
}

@UpdateOf(() => [ReadWebhookDto])
export class UpdateWebhookDto extends WebhookOptionsInput {
  @IfPresent()
  @IsString({ message: 'url must be a string' })
  @ApiPropertyOptional(urlSchema)
  url?: string;

  @IfPresent()
  @CheckedBy((value, path) => checkEventTypes(value, path, [EVERY_TYPE]))
  @ApiPropertyOptional(eventsSchema)
  events?: SubscribedType[];

  @IfPresent()
  @IsBoolean({ message: 'active must be a boolean' })
  @ApiPropertyOptional({
    example: true,
    description:
      '`false` cancels the pending deliveries. `true` also clears `disabled_reason` and the record of failures.',
  })
  active?: boolean;

  @IsOptional()
  @IsString({ message: 'secret must be a string' })
  @Length(1, 256, { message: 'secret must have 1 to 256 characters' })
  @CheckedBy(checkSecret)
  @ApiPropertyOptional({
    ...secretSchema,
    nullable: true,
    description:
      'The new secret. For 24 hours, deliveries are signed with the old secret too, also if the new one is replaced. At most 4 replaced ' +
      'secrets sign at once: one more is a 409. `null` removes all of them immediately. `generate` makes the service generate a secret, ' +
      'which only this response shows.',
  })
  secret?: string | null;
}

/** A webhook as list returns it. */
export class WebhookDto {
  @ApiProperty({ example: 'wh_01k9mzh6xze3n8mqsd5wkxp2zt' })
  id!: string;

  @ApiProperty(urlSchema)
  url!: string;

  @ApiProperty(eventsSchema)
  events!: SubscribedType[];

  @ApiProperty({ example: true })
  active!: boolean;

  @ApiProperty({ format: 'date-time', example: '2026-01-31T09:30:00.000Z' })
  created_at!: string;
}

class GeneratedSecretDto {
  @ApiPropertyOptional({
    example: 'whsec_<base64 of 32 random bytes>',
    description: 'The secret that the service generated, if the request asked for one. No other response shows it.',
  })
  secret?: string;
}

/** A webhook as create returns it. */
export class CreatedWebhookDto extends IntersectionType(WebhookDto, WebhookSettingsDto, GeneratedSecretDto) {}

/** A webhook as get returns it, and as events about it contain it. */
export class WebhookDetailDto extends IntersectionType(WebhookDto, WebhookSettingsDto) {
  @ApiProperty({
    type: 'string',
    enum: [...DISABLED_REASONS, null],
    nullable: true,
    example: null,
    description:
      'Why the service made the webhook inactive. `gone`: the receiver responded with 410. `failing`: all ' +
      'attempts failed for five days. Otherwise `null`.',
  })
  disabled_reason!: DisabledReason | null;
}

/** A webhook as update returns it. */
export class UpdatedWebhookDto extends IntersectionType(WebhookDetailDto, GeneratedSecretDto) {}

class FullDto {
  @ApiPropertyOptional({
    example: true,
    description:
      'Only with `view=full`: whether deliveries are signed, with a secret or with the key pair of `signature`.',
  })
  signed?: boolean;

  @ApiPropertyOptional({
    type: 'string',
    format: 'date-time',
    nullable: true,
    example: null,
    description: 'Only with `view=full`: since when all attempts fail. `null` after a success.',
  })
  failing_since?: string | null;
}

/** A webhook as get returns it, which has `signed` and `failing_since` only with `view=full`. */
export class ReadWebhookDto extends IntersectionType(WebhookDetailDto, FullDto) {}

/** A webhook in a list, which has the other properties only with `view=full`. */
export class ListedWebhookDto extends IntersectionType(WebhookDto, PartialType(ReadWebhookDto)) {}
