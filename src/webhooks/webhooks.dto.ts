import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsBoolean, IsDefined, IsString, Length } from 'class-validator';
import type { ValueError } from '../errors/problem.js';
import { CheckedBy } from '../http/dto.pipe.js';
import { EVENT_TYPE } from '../openapi/event-type.js';
import { eventTypes } from '../rooms/installed.js';
import type { EventType } from '../rooms/room.js';
import { DISABLED_REASONS, type DisabledReason } from './webhook.entity.js';
import { IfPresent } from '../validation/if-present.js';
import { faultOfSecret } from './signature.js';

const urlSchema = {
  type: 'string' as const,
  format: 'uri',
  maxLength: 2048,
  example: 'https://hooks.example.com/trivet',
  description: 'An https URL of a public host, without credentials and without a fragment.',
};

const eventsSchema = {
  type: 'array' as const,
  items: EVENT_TYPE,
  minItems: 1,
  uniqueItems: true,
  example: ['entry.published', 'form.submitted'],
};

const secretSchema = {
  type: 'string' as const,
  minLength: 1,
  maxLength: 256,
  writeOnly: true,
  // A placeholder that is not valid base64. A real secret would be copied, and everyone would know it.
  example: 'whsec_<base64 of 24 to 64 random bytes>',
};

/** Checks a list of one or more event types without duplicates. */
function checkEvents(value: unknown, path: string): ValueError[] {
  if (!Array.isArray(value)) return [{ path, code: 'type', message: `${path} must be a list.` }];
  if (value.length === 0) return [{ path, code: 'length', message: `${path} must contain at least one event type.` }];
  const types = value as unknown[];
  const known: readonly unknown[] = eventTypes();
  // The first 100 elements suffice: a longer list contains unknown or duplicate types, which are reported for these elements.
  return types.slice(0, 100).flatMap((type, index): ValueError[] => {
    const at = `${path}.${index}`;
    if (typeof type !== 'string') return [{ path: at, code: 'type', message: `${at} must be a string.` }];
    if (!known.includes(type)) {
      return [{ path: at, code: 'options', message: `${at} must be one of ${known.join(', ')}.` }];
    }
    if (types.indexOf(type) < index) {
      return [{ path: at, code: 'duplicate', message: `${at} must not repeat ${type}.` }];
    }
    return [];
  });
}

/** Checks that receivers can verify signatures with the secret. */
function checkSecret(value: unknown, path: string): ValueError[] {
  const reason = typeof value === 'string' ? faultOfSecret(value) : undefined;
  return reason === undefined ? [] : [{ path, code: 'format', message: `${path} cannot be verified: ${reason}.` }];
}

/** The service checks `url`, because the configuration determines which URLs are allowed. */
export class CreateWebhookDto {
  @IsDefined({ message: 'url is required' })
  @IsString({ message: 'url must be a string' })
  @ApiProperty(urlSchema)
  url!: string;

  @IsDefined({ message: 'events is required' })
  @CheckedBy(checkEvents)
  @ApiProperty(eventsSchema)
  events!: EventType[];

  @IfPresent()
  @IsString({ message: 'secret must be a string' })
  @Length(1, 256, { message: 'secret must have 1 to 256 characters' })
  @CheckedBy(checkSecret)
  @ApiPropertyOptional({
    ...secretSchema,
    description:
      'The secret that signs every delivery. If it begins with `whsec_`, the rest must be base64 of 24 to 64 bytes, ' +
      'which are the key. Any other secret is used as it is. The secret is never returned.',
  })
  secret?: string;
}

export class UpdateWebhookDto {
  @IfPresent()
  @IsString({ message: 'url must be a string' })
  @ApiPropertyOptional(urlSchema)
  url?: string;

  @IfPresent()
  @CheckedBy(checkEvents)
  @ApiPropertyOptional(eventsSchema)
  events?: EventType[];

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
      'The new secret. For 24 hours, deliveries are signed with the old secret too. `null` removes both secrets ' +
      'immediately.',
  })
  secret?: string | null;
}

/** A webhook as list and create return it. */
export class WebhookDto {
  @ApiProperty({ example: 'wh_01k9mzh6xze3n8mqsd5wkxp2zt' })
  id!: string;

  @ApiProperty(urlSchema)
  url!: string;

  @ApiProperty(eventsSchema)
  events!: EventType[];

  @ApiProperty({ example: true })
  active!: boolean;

  @ApiProperty({ format: 'date-time', example: '2026-01-31T09:30:00.000Z' })
  created_at!: string;
}

/** A webhook as get and update return it. */
export class WebhookDetailDto extends WebhookDto {
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
