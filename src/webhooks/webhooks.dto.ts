import { ApiProperty, ApiPropertyOptional, IntersectionType, PartialType } from '@nestjs/swagger';
import { IsBoolean, IsDefined, IsIn, IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator';
import type { ValueError } from '../errors/problem.js';
import { CheckedBy } from '../http/dto.pipe.js';
import { CreationOf, UpdateOf } from '../http/read-only.js';
import { EVENT_TYPE } from '../openapi/event-type.js';
import { checkEventTypes } from './check-event-types.js';
import { EVERY_TYPE, type SubscribedType } from './subscribed-events.js';
import { checkFilters, WebhookFiltersDto } from './webhook-filters.js';
import { checkHeaders, type OwnHeaders } from './webhook-headers.js';
import {
  DISABLED_REASONS,
  type DisabledReason,
  type Payload,
  PAYLOADS,
  type Signature,
  SIGNATURES,
} from './webhook.entity.js';
import { IfPresent } from '../validation/if-present.js';
import { faultOfSecret } from './signature.js';

/** The largest `max_concurrency`. */
const MAX_CONCURRENCY = 100;

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

const descriptionSchema = { type: 'string' as const, maxLength: 500, example: 'Rebuilds the website' };

const headersSchema = {
  type: 'object' as const,
  additionalProperties: { type: 'string' as const, maxLength: 2048 },
  maxProperties: 10,
  example: { Authorization: '***' },
};

const payloadSchema = {
  type: 'string' as const,
  enum: [...PAYLOADS] as (Payload | null)[],
  example: 'full',
  description:
    '`full` (the default): the data of an event is its resource. `thin`: only its `id`, and `content_type_id` of an entry or `form_id` ' +
    'of a submission.',
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

const orderedSchema = {
  type: 'boolean' as const,
  example: true,
  description:
    '`true`: events of one resource (with the same `data.id`) are delivered in the order in which they happened, each after the one before it has ' +
    'succeeded, failed or was canceled. Other resources do not wait. Replays, deliveries that are sent again, and tests do not wait either.',
};

const maxConcurrencySchema = {
  type: 'integer' as const,
  minimum: 1,
  maximum: MAX_CONCURRENCY,
  example: 5,
  description:
    'The maximum number of requests to the receiver at once, counted over all workers. The default is 20, which the processes of one ' +
    '`WEB_CONCURRENCY` share.',
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

/** The options of a webhook as requests have them. `null` removes one. */
export class WebhookOptionsInput {
  @IsOptional()
  @IsString({ message: 'description must be a string' })
  @Length(0, 500, { message: 'description must have at most 500 characters' })
  @ApiPropertyOptional(descriptionSchema)
  description?: string | null;

  @IsOptional()
  @CheckedBy((value, path) => (value === null ? [] : checkHeaders(value, path)))
  @ApiPropertyOptional({
    ...headersSchema,
    nullable: true,
    example: { Authorization: 'Bearer <token of the receiver>' },
    description:
      'Headers of each delivery, at most 10. Their values are stored encrypted and never returned. An update replaces all of them, and ' +
      'keeps the stored value where it sends `"***"`. If the `url` moves to another origin, they must be sent again. Headers of the ' +
      'connection, `Host`, `Cookie`, `User-Agent`, `Content-*`, `webhook-*` and `trivet-*` are not allowed.',
  })
  headers?: OwnHeaders | null;

  @IsOptional()
  @CheckedBy((value, path) => (value === null ? [] : checkFilters(value, path)))
  @ApiPropertyOptional({
    type: WebhookFiltersDto,
    nullable: true,
    example: { status: 'published', changed: ['title'] },
    description: 'An event is delivered if it fits every filter that applies to it. An update replaces all filters.',
  })
  filters?: WebhookFiltersDto | null;

  @IsOptional()
  @IsIn(PAYLOADS, { message: 'payload must be full or thin' })
  @ApiPropertyOptional({ ...payloadSchema, enum: [...PAYLOADS, null], nullable: true })
  payload?: Payload | null;

  @IsOptional()
  @IsBoolean({ message: 'ordered must be a boolean' })
  @ApiPropertyOptional({ ...orderedSchema, nullable: true })
  ordered?: boolean | null;

  @IsOptional()
  @IsInt({ message: 'max_concurrency must be an integer' })
  @Min(1, { message: 'max_concurrency must be at least 1' })
  @Max(MAX_CONCURRENCY, { message: `max_concurrency must be at most ${MAX_CONCURRENCY}` })
  @ApiPropertyOptional({ ...maxConcurrencySchema, nullable: true })
  max_concurrency?: number | null;
}

/** The options of a webhook as responses have them: only those that were set. */
export class WebhookOptionsDto {
  @ApiPropertyOptional(descriptionSchema)
  description?: string;

  @ApiPropertyOptional({ ...headersSchema, description: 'The names of the own headers. Their values are hidden.' })
  headers?: Record<string, string>;

  @ApiPropertyOptional({ type: WebhookFiltersDto })
  filters?: WebhookFiltersDto;

  @ApiPropertyOptional(payloadSchema)
  payload?: Payload;

  @ApiPropertyOptional(orderedSchema)
  ordered?: boolean;

  @ApiPropertyOptional(maxConcurrencySchema)
  max_concurrency?: number;

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
export class CreatedWebhookDto extends IntersectionType(WebhookDto, WebhookOptionsDto, GeneratedSecretDto) {}

/** A webhook as get returns it, and as events about it contain it. */
export class WebhookDetailDto extends IntersectionType(WebhookDto, WebhookOptionsDto) {
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

class SignedDto {
  @ApiPropertyOptional({
    example: true,
    description:
      'Only with `view=full`: whether deliveries are signed, with a secret or with the key pair of `signature`.',
  })
  signed?: boolean;
}

/** A webhook as get returns it, which has `signed` only with `view=full`. */
export class ReadWebhookDto extends IntersectionType(WebhookDetailDto, SignedDto) {}

/** A webhook in a list, which has the other properties only with `view=full`. */
export class ListedWebhookDto extends IntersectionType(WebhookDto, PartialType(ReadWebhookDto)) {}
