import { ApiPropertyOptional } from '@nestjs/swagger';

/** What entries, drafts and versions have if a request names a locale. */
export class InLocaleDto {
  @ApiPropertyOptional({ example: 'de', description: 'Only with `locale`: the locale that is shown, or `*`.' })
  locale?: string;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Only with `locale`: the locales of values that come from others, by field. Absent if there are none.',
    example: { body: 'en' },
  })
  fallbacks?: Record<string, string>;
}

/** Properties of an answer in a locale that say nothing of what is stored, and may be sent back. */
const SHOWN: ReadonlySet<string> = new Set(['locale', 'fallbacks']);

/** Whether an error of a read-only property stands, if the values were sent in this locale. */
export function isOfStored(locale: string | undefined): (error: { path: string }) => boolean {
  return ({ path }) => !SHOWN.has(path) && (locale === undefined || path !== 'changed');
}
