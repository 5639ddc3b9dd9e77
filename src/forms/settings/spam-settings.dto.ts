import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, Matches } from 'class-validator';
import type { ValueError } from '../../errors/problem.js';
import { checkItems, CheckedBy } from '../../http/bodies/dto.pipe.js';
import { isBlank } from '../../validation/blank.js';
import { IfPresent } from '../../validation/if-present.js';
import { IsIntFrom, MAX_NAME } from './setting-decorators.js';

const DAY_S = 86_400;
const MAX_WORDS = 500;
const MAX_WORD = 100;

/** Parts of a form that the service reads itself. */
const OWN_NAMES: readonly string[] = ['_t', '_altcha', '_redirect'];
const FIELD_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

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
  @ApiPropertyOptional({
    description:
      'Whether a submission without a proof of work is spam. The page of the form computes it. A page of your own does so with the script ' +
      '`/f/token.js`, or with what *Get a challenge* returns; without it, all of its submissions are spam.',
  })
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

function checkWord(value: unknown, path: string): ValueError[] {
  const isWord = typeof value === 'string' && !isBlank(value) && value.length <= MAX_WORD;
  if (isWord) return [];
  const code = typeof value === 'string' ? 'length' : 'type';
  return [{ path, code, message: `${path} must be a word or phrase of 1 to ${MAX_WORD} characters.` }];
}
