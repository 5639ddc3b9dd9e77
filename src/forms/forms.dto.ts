import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsDefined, IsString } from 'class-validator';
import type { ValueError } from '../errors/problem.js';
import { checkDefinitions } from '../fields/definitions.js';
import { isEmail, MAX_EMAIL } from '../fields/email.js';
import type { FieldDefinition } from '../fields/field-definition.js';
import { definitionReference } from '../fields/openapi.js';
import { CheckedBy } from '../http/dto.pipe.js';
import { Name, Slug } from '../ids/slugged.dto.js';
import { IfPresent } from '../validation/if-present.js';

const fieldsSchema = {
  type: 'array' as const,
  minItems: 1,
  maxItems: 100,
  items: definitionReference('form'),
  example: [
    { name: 'name', type: 'text', required: true, label: 'Your name' },
    { name: 'email', type: 'email', required: true, label: 'Your email address' },
    { name: 'topic', type: 'select', options: ['Press', 'Sales', 'Something else'] },
    { name: 'message', type: 'textarea', required: true },
  ],
};

const notifyEmailSchema = {
  type: 'string' as const,
  format: 'email',
  maxLength: MAX_EMAIL,
  example: 'office@acme.example',
};

export class CreateFormDto {
  @Name('Contact')
  name!: string;

  @Slug('contact', 'Generated from `name` when omitted. Visitors can submit the form under its slug.')
  slug?: string;

  @IsDefined({ message: 'fields is required' })
  @CheckedBy((value, path, body) => checkDefinitions(body.turn, value, 'form', { path, ...body }))
  @ApiProperty(fieldsSchema)
  fields!: FieldDefinition[];

  @IfPresent()
  @IsString({ message: 'notify_email must be a string' })
  @CheckedBy(checkEmail)
  @ApiPropertyOptional({
    ...notifyEmailSchema,
    description:
      'The address that receives an email for each submission. When submissions arrive too quickly, one email ' +
      'lists several of them.',
  })
  notify_email?: string;
}

class FormBase {
  @ApiProperty({ example: 'frm_01k9mzh6xze3n8mqsd5wkxp2zt' })
  id!: string;

  @ApiProperty({ example: 'Contact' })
  name!: string;

  @ApiProperty({ example: 'contact' })
  slug!: string;

  @ApiProperty({
    ...fieldsSchema,
    description: 'The field definitions with the attributes that were sent, in the same order.',
  })
  fields!: FieldDefinition[];
}

/** A form as list returns it. */
export class FormDto extends FormBase {
  @ApiProperty({ type: 'integer', minimum: 0, example: 42, description: 'The exact number of submissions so far.' })
  submission_count!: number;

  @ApiProperty({ format: 'date-time', example: '2026-01-31T09:30:00.000Z' })
  created_at!: string;
}

/** A form as create returns it. */
export class CreatedFormDto extends FormBase {
  @ApiPropertyOptional({ ...notifyEmailSchema, description: 'Present only when it was sent.' })
  notify_email?: string;

  @ApiProperty({ format: 'date-time', example: '2026-01-31T09:30:00.000Z' })
  created_at!: string;
}

function checkEmail(value: unknown, path: string): ValueError[] {
  if (isEmail(value as string)) return [];
  const message = `${path} must be an email address of at most ${MAX_EMAIL} characters.`;
  return [{ path, code: 'format', message }];
}
