import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Allow, IsDefined } from 'class-validator';
import { CheckedBy } from '../../http/bodies/dto.pipe.js';
import { checkLocales, MAX_LOCALE_NAME, MAX_TENANT_LOCALES } from './checked-settings.js';

const CODE = { type: String, description: 'A language tag (BCP 47).', example: 'de-CH', maxLength: 35 };

class SentLocaleDto {
  @ApiProperty(CODE)
  code!: string;

  @ApiPropertyOptional({
    description: 'How people call the language. Without it, its English name.',
    example: 'Deutsch (Schweiz)',
    minLength: 1,
    maxLength: MAX_LOCALE_NAME,
  })
  name?: string;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description:
      'The code of the locale whose value is shown where this one has none; null if nothing is shown then. Without it: the default locale. The default ' +
      'locale has none.',
    example: 'de',
  })
  fallback?: string | null;
}

export class SetLocalesDto {
  @IsDefined({ message: 'default is required' })
  @Allow()
  @ApiProperty({ ...CODE, example: 'en', description: 'The code of the locale that is read and written without one.' })
  default!: unknown;

  @IsDefined({ message: 'locales is required' })
  @CheckedBy(checkLocales)
  @ApiProperty({ type: [SentLocaleDto], minItems: 1, maxItems: MAX_TENANT_LOCALES })
  locales!: unknown;
}

class LocaleDto {
  @ApiProperty(CODE)
  code!: string;

  @ApiProperty({ example: 'Deutsch (Schweiz)' })
  name!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The code of the locale whose value is shown where this one has none; null if nothing is shown then.',
    example: 'de',
  })
  fallback!: string | null;
}

export class LocalesDto {
  @ApiProperty({ example: 'en', description: 'The code of the locale that is read and written without one.' })
  default!: string;

  @ApiProperty({ type: [LocaleDto] })
  locales!: LocaleDto[];
}
