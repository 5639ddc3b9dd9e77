import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** An entry that refers to another one, and the field that does. */
export class ReferrerDto {
  @ApiProperty({ example: 'ct_01k9mzh6xze3n8mqsd5wkxp2zt' })
  content_type_id!: string;

  @ApiProperty({ example: 'ent_01k9mzh6xze3n8mqsd5wkxp2zt' })
  entry_id!: string;

  @ApiProperty({
    example: 'author',
    description:
      'The reference field of the entry that names the other entry, with the groups around it: `sections.author`.',
  })
  field!: string;

  @ApiPropertyOptional({ example: 'de', description: 'The locale of the value, if it is not the default one.' })
  locale?: string;
}
