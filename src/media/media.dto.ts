import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsDefined, IsString, MaxLength } from 'class-validator';
import { UpdateOf } from '../http/bodies/read-only.js';
import { IfPresent } from '../validation/if-present.js';

export const MAX_ALT = 1_000;

@UpdateOf(() => [MediaDto])
export class UpdateMediaDto {
  @IfPresent()
  @IsString({ message: 'alt must be a string' })
  @MaxLength(MAX_ALT, { message: `alt must have at most ${MAX_ALT} characters` })
  @ApiPropertyOptional({
    maxLength: MAX_ALT,
    example: 'A cup of coffee',
    description: 'The alternative text. It can be empty.',
  })
  alt?: string;
}

/** Names a file by its URL. */
export class FetchMediaDto {
  @IsDefined({ message: 'url is required' })
  @IsString({ message: 'url must be a string' })
  @ApiProperty({
    format: 'uri',
    example: 'https://blog.example.com/wp-content/uploads/coffee.jpg',
    description: 'An https URL. The service fetches the file, and stores it as if it was sent.',
  })
  url!: string;

  @IfPresent()
  @IsString({ message: 'alt must be a string' })
  @MaxLength(MAX_ALT, { message: `alt must have at most ${MAX_ALT} characters` })
  @ApiPropertyOptional({ maxLength: MAX_ALT, default: '', description: 'The alternative text.' })
  alt?: string;
}

/** The multipart body of an upload. Swagger UI shows it as a file picker. */
export const uploadSchema = {
  type: 'object' as const,
  required: ['file'],
  properties: {
    file: { type: 'string', format: 'binary', description: 'The file. Send exactly one.' },
    alt: { type: 'string', maxLength: MAX_ALT, default: '', description: 'The alternative text.' },
  },
};

/** An uploaded file. */
export class MediaDto {
  @ApiProperty({ example: 'med_01k9mzh6xze3n8mqsd5wkxp2zt' })
  id!: string;

  @ApiProperty({
    example: 'https://cms.example.com/media/ten_demo/med_01k9mzh6xze3n8mqsd5wkxp2zt.jpg',
    description:
      'The public URL of the file. A media value of an entry contains it. A query scales PNG, JPEG, GIF, WebP, AVIF and TIFF; other types, ' +
      'among them SVG and HEIC, have no variants.',
  })
  url!: string;

  @ApiProperty({ example: 'A cup of coffee', description: 'The alternative text.' })
  alt!: string;

  @ApiProperty({
    example: 'coffee.jpg',
    description: 'The file name as it was sent, without folders and invisible characters, of at most 150 characters.',
  })
  filename!: string;

  @ApiProperty({
    example: 'image/jpeg',
    description: 'The media type. It is read from the bytes of the file, not from its name.',
  })
  mime_type!: string;

  @ApiProperty({ type: 'integer', example: 48213, description: 'The size of the stored file in bytes.' })
  size!: number;

  @ApiPropertyOptional({
    type: 'integer',
    example: 1600,
    description: 'The width of an image in pixels, as it is shown. It is missing if the file does not state it.',
  })
  width?: number;

  @ApiPropertyOptional({ type: 'integer', example: 1200 })
  height?: number;

  @ApiProperty({ format: 'date-time', example: '2026-01-31T09:30:00.000Z' })
  created_at!: string;
}

/** The URL of an image variant. */
export class VariantUrlDto {
  @ApiProperty({
    example:
      'https://cms.example.com/media/ten_demo/med_01k9mzh6xze3n8mqsd5wkxp2zt.jpg?w=320&format=webp&s=mZVvK1hVJ0fYcV2b4xq8nA',
    description: 'The public URL of the variant. It is signed, and it is valid as long as the encryption key is valid.',
  })
  url!: string;
}

/** An entry that uses a file, and the field that does. */
export class MediaUseDto {
  @ApiProperty({ example: 'ct_01k9mzh6xze3n8mqsd5wkxp2zt' })
  content_type_id!: string;

  @ApiProperty({ example: 'ent_01k9mzh6xze3n8mqsd5wkxp2zt' })
  entry_id!: string;

  @ApiProperty({
    example: 'cover',
    description: 'The media field of the entry, with the groups around it: `sections.image`.',
  })
  field!: string;

  @ApiPropertyOptional({ example: 'de', description: 'The locale of the value, if it is not the default one.' })
  locale?: string;
}
