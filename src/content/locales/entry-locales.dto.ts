import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsDefined } from 'class-validator';

export class SetEntryLocaleDto {
  @IsDefined({ message: 'live is required' })
  @IsBoolean({ message: 'live must be true or false' })
  @ApiProperty({ description: 'Whether readers see the values of the locale.' })
  live!: boolean;
}

/** What there is of an entry in a locale. */
export class EntryLocaleDto {
  @ApiProperty({ example: 'de' })
  code!: string;

  @ApiProperty({
    description:
      'Whether readers see its values. The default locale is live while the entry is published, another one if it also has values that are not taken off.',
  })
  live!: boolean;

  @ApiProperty({ type: 'integer', description: 'The number of localized fields with a value of its own.', example: 2 })
  values!: number;

  @ApiProperty({ type: [String], description: 'The localized fields without one.', example: ['body'] })
  missing!: string[];

  @ApiProperty({ description: 'Whether the draft has values of it.' })
  draft!: boolean;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When its values last changed. Null if it has none.',
    example: '2026-01-31T09:30:00.000Z',
  })
  updated_at!: string | null;
}

/** The entries of a content type in a locale. */
export class TypeLocaleDto {
  @ApiProperty({ example: 'de' })
  code!: string;

  @ApiProperty({
    type: 'integer',
    description:
      'The published entries that readers see in it: of the default locale all, of another one those that are live in it.',
    example: 80,
  })
  live!: number;

  @ApiProperty({ type: 'integer', description: 'The entries without a value of its own.', example: 15 })
  missing!: number;

  @ApiProperty({
    type: 'integer',
    description: 'The entries of which a value of the default locale changed later than its own.',
    example: 4,
  })
  behind!: number;
}
