import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsDefined, IsIn, IsInt, IsString, Length, Matches, Max, Min } from 'class-validator';
import type { ValueError } from '../../errors/problem.js';
import { checkEmail, MAX_EMAIL } from '../../fields/formats/email.js';
import { faultOfHttpUrl, MAX_URL } from '../../fields/formats/url.js';
import { checkItems, checkObject, CheckedBy } from '../../http/dto.pipe.js';
import { IfPresent } from '../../validation/if-present.js';
import { isBlank } from '../../validation/blank.js';
import type { Language } from '../pages/texts/page-texts.js';
import { LANGUAGES } from '../pages/texts/words.js';
import type { FormTexts } from './form-settings.js';

const DAY_S = 86_400;
const MAX_RULES = 10;
const MAX_RECIPIENTS = 10;
const MAX_ORIGINS = 50;
const MAX_WORDS = 500;
const MAX_WORD = 100;
const MAX_SUBJECT = 255;
const MAX_TEXT = 10_000;
const MAX_NAME = 64;
const MAX_OWN_TEXT = 200;

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
      'The number of seconds that a visitor needs at least to fill in the form. It is measured by `_t`, which the page of the form contains. ' +
      'A page of your own gets it from the script `/f/token.js` or from *Get a challenge*. A submission that is faster is spam. The time of one ' +
      'without a valid `_t` is unknown: it is not spam for that reason, unless `require_token` is set.',
    example: 3,
  })
  min_seconds?: number;

  @IfPresent()
  @IsBoolean({ message: 'must be true or false' })
  @ApiPropertyOptional({
    description:
      'Whether a submission without a valid `_t` is spam (`too_fast`), however it was sent. Set it when every page and program that sends ' +
      'the form sends `_t`.',
  })
  require_token?: boolean;

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

function OwnWords(description: string, example: string): PropertyDecorator {
  return (target, property) => {
    const schema = { minLength: 1, maxLength: MAX_OWN_TEXT, description, example };
    for (const decorate of [IfPresent(), IsTextOf(1, MAX_OWN_TEXT), ApiPropertyOptional(schema)])
      decorate(target, property);
  };
}

/** The form's own words. Whatever they replace, they are plain text. */
export class FormTextsDto implements FormTexts {
  @OwnWords('The label of the button.', 'Send application')
  submit?: string;

  @OwnWords('The first entry of a `select`, which stands for no choice.', 'Please select')
  choose?: string;

  @OwnWords('The message beside a required field that is not filled in.', 'We need this to answer you.')
  required?: string;

  @OwnWords('The title above the errors.', 'Almost done')
  not_sent?: string;

  @OwnWords('The title of the page after a submission. `thanks` is its text.', 'Application received')
  thanks_title?: string;

  @OwnWords('The link to the page that the visitor came from.', 'Back to our jobs')
  back?: string;

  @OwnWords('The text of a closed form.', 'The position has been filled.')
  closed?: string;
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
      'An email to the visitor, at most one an hour to one address. It requires `spam.challenge`, or `spam.honeypot` with `spam.min_seconds`. It is ' +
      'only sent if the submission came with a solved challenge, or with a `_t` that is old enough, or was released.',
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
  @IsIn(LANGUAGES, { message: `must be one of ${LANGUAGES.join(', ')}` })
  @ApiPropertyOptional({
    enum: LANGUAGES,
    description:
      'The language of what the service says on the pages of the form. Without it, the language that the browser of the visitor asks for.',
    example: 'de',
  })
  language?: Language;

  @IfPresent()
  @CheckedBy((value, path, body) => checkObject(FormTextsDto, value, path, body))
  @ApiPropertyOptional({
    type: FormTextsDto,
    description: "The form's own words, which replace those of every language. A change replaces all of them.",
  })
  texts?: FormTextsDto;

  @IfPresent()
  @CheckedBy(checkTimeZone)
  @ApiPropertyOptional({
    type: String,
    maxLength: MAX_NAME,
    description: 'The time zone (IANA) of the times in emails about submissions. Without it, UTC.',
    example: 'Europe/Berlin',
  })
  time_zone?: string;

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

function checkTimeZone(value: unknown, path: string): ValueError[] {
  if (typeof value !== 'string') return [{ path, code: 'type', message: `${path} must be a string.` }];
  if (value.length <= MAX_NAME && isTimeZone(value)) return [];
  return [{ path, code: 'format', message: `${path} must be a time zone such as Europe/Berlin.` }];
}

/** Whether it is a name of the IANA database. Offsets, such as `+02:00`, do not know summer time. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
