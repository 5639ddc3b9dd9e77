import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn } from 'class-validator';
import type { ValueError } from '../../errors/problem.js';
import { faultOfHttpUrl, MAX_URL } from '../../fields/formats/url.js';
import { checkItems, checkObject, CheckedBy } from '../../http/bodies/dto.pipe.js';
import { IfPresent } from '../../validation/if-present.js';
import type { Language } from '../pages/texts/page-texts.js';
import { LANGUAGES } from '../pages/texts/words.js';
import { FormTextsDto } from './form-texts.dto.js';
import { AutoresponderDto, NotifyRuleDto } from './mail-settings.dto.js';
import { IsIntFrom, IsTextOf, MAX_NAME } from './setting-decorators.js';
import { SpamSettingsDto } from './spam-settings.dto.js';
import { parseUrl } from '../../validation/parse-url.js';

const MAX_RULES = 10;
const MAX_ORIGINS = 50;

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

function checkOrigin(value: unknown, path: string): ValueError[] {
  if (typeof value !== 'string') return [{ path, code: 'type', message: `${path} must be a string.` }];
  if (isOrigin(value)) return [];
  return [{ path, code: 'format', message: `${path} must be an origin such as https://acme.example, without a path.` }];
}

/** Whether it is an origin as browsers send it. There are no wildcards: origins are compared as a whole. */
function isOrigin(value: string): boolean {
  const { protocol = '', origin } = parseUrl(value) ?? {};
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
