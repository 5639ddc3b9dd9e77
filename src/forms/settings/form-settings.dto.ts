import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsDefined, IsInt, IsString, Length, Matches, Max, Min } from 'class-validator';
import type { ValueError } from '../../errors/problem.js';
import { isEmail, MAX_EMAIL } from '../../fields/email.js';
import { faultOfHttpUrl, MAX_URL } from '../../fields/url.js';
import { checkItems, checkObject, CheckedBy } from '../../http/dto.pipe.js';
import { IfPresent } from '../../validation/if-present.js';
import { isBlank } from '../../validation/blank.js';

const DAY_S = 86_400;
const MAX_RULES = 10;
const MAX_RECIPIENTS = 10;
const MAX_ORIGINS = 50;
const MAX_WORDS = 500;
const MAX_WORD = 100;
const MAX_SUBJECT = 255;
const MAX_TEXT = 10_000;
const MAX_NAME = 64;

/** Parts of a form that the service reads itself. */
const OWN_NAMES: readonly string[] = ['_t', '_altcha', '_redirect'];
const FIELD_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

const PLACEHOLDERS = '`{{name}}` stands for the value of the field `name`.';

function IsIntFrom(min: number, max: number): PropertyDecorator {
  const message = `must be an integer from ${min} to ${max}`;
  return (target, property) => {
    for (const check of [IfPresent(), IsInt({ message }), Min(min, { message }), Max(max, { message })]) {
      check(target, property);
    }
  };
}

function IsTextOf(min: number, max: number): PropertyDecorator {
  return (target, property) => {
    for (const check of [
      IsString({ message: 'must be a string' }),
      Length(min, max, { message: `must have ${min} to ${max} characters` }),
    ]) {
      check(target, property);
    }
  };
}

class RuleConditionDto {
  @IsDefined({ message: 'is required' })
  @IsTextOf(1, MAX_NAME)
  @ApiProperty({ maxLength: MAX_NAME, example: 'topic' })
  field!: string;

  @IsDefined({ message: 'is required' })
  @IsTextOf(0, 1_000)
  @ApiProperty({ maxLength: 1_000, example: 'Sales', description: 'An empty string stands for no value.' })
  equals!: string;
}

export class NotifyRuleDto {
  @IsDefined({ message: 'is required' })
  @CheckedBy((value, path) => checkItems(value, path, { max: MAX_RECIPIENTS }, checkEmail))
  @ApiProperty({
    type: 'array',
    minItems: 1,
    maxItems: MAX_RECIPIENTS,
    items: { type: 'string', format: 'email', maxLength: MAX_EMAIL },
    description: 'The addresses that receive the email.',
    example: ['sales@acme.example'],
  })
  to!: string[];

  @IfPresent()
  @IsTextOf(1, MAX_SUBJECT)
  @ApiPropertyOptional({
    minLength: 1,
    maxLength: MAX_SUBJECT,
    description: PLACEHOLDERS,
    example: 'A question of {{name}}',
  })
  subject?: string;

  @IfPresent()
  @CheckedBy((value, path, body) => checkObject(RuleConditionDto, value, path, body))
  @ApiPropertyOptional({
    type: RuleConditionDto,
    description: 'Only submissions with this value. Of a field with `multiple`, one of its values.',
  })
  when?: RuleConditionDto;
}

export class AutoresponderDto {
  @IsDefined({ message: 'is required' })
  @IsTextOf(1, MAX_NAME)
  @ApiProperty({
    maxLength: MAX_NAME,
    description: 'The `email` field with the address of the visitor.',
    example: 'email',
  })
  field!: string;

  @IsDefined({ message: 'is required' })
  @IsTextOf(1, MAX_SUBJECT)
  @ApiProperty({
    minLength: 1,
    maxLength: MAX_SUBJECT,
    description: `${PLACEHOLDERS} The field must not be a \`textarea\`.`,
    example: 'Thank you, {{name}}',
  })
  subject!: string;

  @IsDefined({ message: 'is required' })
  @IsTextOf(1, MAX_TEXT)
  @ApiProperty({
    minLength: 1,
    maxLength: MAX_TEXT,
    description: `Plain text. ${PLACEHOLDERS} The field must not be a \`textarea\`. A value is cut to 100 characters of one line, and its links are made harmless.`,
    example: 'Hello {{name}},\n\nwe received your message and will answer soon.',
  })
  text!: string;
}

export class SpamSettingsDto {
  @IfPresent()
  @Matches(FIELD_NAME, { message: `must be a name of at most ${MAX_NAME} letters, digits, _ and -` })
  @CheckedBy((value, path) =>
    OWN_NAMES.includes(value as string)
      ? [{ path, code: 'reserved', message: `${path} must not be one of ${OWN_NAMES.join(', ')}.` }]
      : [],
  )
  @ApiPropertyOptional({
    type: String,
    maxLength: MAX_NAME,
    pattern: FIELD_NAME.source,
    description: 'The name of a field that visitors do not see. A submission in which it is not blank is spam.',
    example: 'website',
  })
  honeypot?: string;

  @IfPresent()
  @IsBoolean({ message: 'must be true or false' })
  @ApiPropertyOptional({ description: 'Whether a proof of work is required (*Get a challenge*).' })
  challenge?: boolean;

  @IsIntFrom(1, DAY_S)
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: DAY_S,
    description:
      'The number of seconds that a visitor needs at least to fill in the form. It is measured by `_t`, which a page gets with the form or ' +
      'with *Get a challenge*. A submission that is faster is spam, and so is one without `_t` that is not JSON.',
    example: 3,
  })
  min_seconds?: number;

  @IsIntFrom(0, 1_000)
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: 1_000,
    description:
      'The number of links (`http://`, `https://`, `www.`) that all values may have together, except those of `url` fields. A submission with ' +
      'more links is spam.',
    example: 2,
  })
  max_links?: number;

  @IfPresent()
  @CheckedBy((value, path) => checkItems(value, path, { max: MAX_WORDS }, checkWord))
  @ApiPropertyOptional({
    type: 'array',
    minItems: 1,
    maxItems: MAX_WORDS,
    items: { type: 'string', minLength: 1, maxLength: MAX_WORD },
    description: 'Whole words or phrases, whose case and accents do not matter.',
    example: ['casino'],
  })
  blocked_words?: string[];

  @IsIntFrom(1, 30 * DAY_S)
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: 30 * DAY_S,
    description: 'The number of seconds in which a submission with the same values is spam.',
    example: 3_600,
  })
  duplicates_within?: number;
}

/** The settings of a form, in requests and responses. */
export class FormSettingsDto {
  @IfPresent()
  @CheckedBy((value, path, body) =>
    checkItems(value, path, { max: MAX_RULES }, (rule, at) => checkObject(NotifyRuleDto, rule, at, body)),
  )
  @ApiPropertyOptional({
    type: [NotifyRuleDto],
    minItems: 1,
    maxItems: MAX_RULES,
    description: 'Emails for submissions, beside `notify_email`. One address receives one email for a submission.',
  })
  notify?: NotifyRuleDto[];

  @IfPresent()
  @CheckedBy((value, path, body) => checkObject(AutoresponderDto, value, path, body))
  @ApiPropertyOptional({
    type: AutoresponderDto,
    description:
      'An email to the visitor, at most one an hour to one address. It requires `spam.challenge`, or `spam.honeypot` with `spam.min_seconds`.',
  })
  autoresponder?: AutoresponderDto;

  @IfPresent()
  @CheckedBy((value, path) => checkItems(value, path, { max: MAX_ORIGINS }, checkOrigin))
  @ApiPropertyOptional({
    type: 'array',
    minItems: 1,
    maxItems: MAX_ORIGINS,
    items: { type: 'string' },
    description:
      "Origins that `_redirect` may lead to, beside the tenant's `allowed_origins` and the origin of the service.",
    example: ['https://acme.example'],
  })
  redirect_origins?: string[];

  @IfPresent()
  @CheckedBy(checkUrl)
  @ApiPropertyOptional({
    type: String,
    format: 'uri',
    maxLength: MAX_URL,
    description: 'Where the hosted page leads after a submission. Its origin must be one that `_redirect` may lead to.',
    example: 'https://acme.example/thanks',
  })
  redirect?: string;

  @IfPresent()
  @IsTextOf(1, 2_000)
  @ApiPropertyOptional({
    minLength: 1,
    maxLength: 2_000,
    description: 'What the hosted page says after a submission.',
    example: 'Thank you! We will answer within two days.',
  })
  thanks?: string;

  @IfPresent()
  @CheckedBy((value, path, body) => checkObject(SpamSettingsDto, value, path, body))
  @ApiPropertyOptional({
    type: SpamSettingsDto,
    description: 'The checks that decide whether a submission is spam. A change replaces all of them.',
  })
  spam?: SpamSettingsDto;

  @IsIntFrom(1, 3_650)
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: 3_650,
    description: 'Submissions that are older than this number of days are deleted, with their files.',
    example: 90,
  })
  retention_days?: number;

  @IsIntFrom(1, 600)
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: 600,
    description: 'Submissions a minute from one address to this form. Replaces the common limit of 10 to all forms.',
    example: 60,
  })
  rate_limit?: number;

  @IfPresent()
  @IsBoolean({ message: 'must be true or false' })
  @ApiPropertyOptional({
    description:
      '`false`: a submission is mailed and sent to webhooks, and then deleted within a minute, after a day at the latest. Spam is kept for a ' +
      'day. It applies to submissions that arrive while it is set.',
  })
  store?: boolean;

  @IfPresent()
  @IsBoolean({ message: 'must be true or false' })
  @ApiPropertyOptional({ description: '`true`: submitting is 403.' })
  closed?: boolean;
}

function checkEmail(value: unknown, path: string): ValueError[] {
  if (typeof value === 'string' && isEmail(value)) return [];
  const code = typeof value === 'string' ? 'format' : 'type';
  return [{ path, code, message: `${path} must be an email address of at most ${MAX_EMAIL} characters.` }];
}

function checkWord(value: unknown, path: string): ValueError[] {
  const isWord = typeof value === 'string' && !isBlank(value) && value.length <= MAX_WORD;
  if (isWord) return [];
  const code = typeof value === 'string' ? 'length' : 'type';
  return [{ path, code, message: `${path} must be a word or phrase of 1 to ${MAX_WORD} characters.` }];
}

function checkOrigin(value: unknown, path: string): ValueError[] {
  if (typeof value !== 'string') return [{ path, code: 'type', message: `${path} must be a string.` }];
  if (isOrigin(value)) return [];
  return [{ path, code: 'format', message: `${path} must be an origin such as https://acme.example, without a path.` }];
}

/** Whether it is an origin as browsers send it. There are no wildcards: origins are compared as a whole. */
function isOrigin(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, origin } = new URL(value);
  return /^https?:$/.test(protocol) && origin === value && !value.includes('*');
}

function checkUrl(value: unknown, path: string): ValueError[] {
  if (typeof value !== 'string') return [{ path, code: 'type', message: `${path} must be a string.` }];
  const reason = faultOfHttpUrl(value);
  if (reason === undefined) return [];
  return [{ path, code: 'format', message: `${path} must be an absolute http or https URL: ${reason}.` }];
}
