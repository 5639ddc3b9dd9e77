import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsDefined, IsString, ValidateIf } from 'class-validator';
import { checkDefinitions } from '../fields/definitions/definitions.js';
import { checkEmail, MAX_EMAIL } from '../fields/formats/email.js';
import type { FieldDefinition } from '../fields/field-definition.js';
import { definitionReference } from '../fields/definitions/definition-components.js';
import { checkObject, CheckedBy } from '../http/bodies/dto.pipe.js';
import { CreationOf, UpdateOf } from '../http/bodies/read-only.js';
import { Name, OptionalName, Slug } from '../ids/slugged.dto.js';
import { IfPresent } from '../validation/if-present.js';
import { FormSettingsDto } from './settings/form-settings.dto.js';
import type { FormSettings, SentSettings } from './settings/form-settings.js';

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

const NOTIFY_EMAIL =
  'The address that receives an email for each submission. When submissions arrive too quickly, one email ' +
  'lists several of them.';

const notifyEmailSchema = {
  type: 'string' as const,
  format: 'email',
  maxLength: MAX_EMAIL,
  example: 'office@acme.example',
};

@CreationOf(() => [FormDto, FormDetailDto])
export class CreateFormDto {
  @Name('Contact')
  name!: string;

  @Slug('contact', 'Generated from `name` when omitted. Visitors can submit the form under its slug.')
  slug?: string;

  @IsDefined({ message: 'fields is required' })
  @CheckedBy((value, path, body) => checkDefinitions(body.queueKey, value, 'form', { path, ...body }))
  @ApiProperty(fieldsSchema)
  fields!: FieldDefinition[];

  @IfPresent()
  @IsString({ message: 'notify_email must be a string' })
  @CheckedBy(checkEmail)
  @ApiPropertyOptional({ ...notifyEmailSchema, description: NOTIFY_EMAIL })
  notify_email?: string;

  @IfPresent()
  @CheckedBy((value, path, body) => checkObject(FormSettingsDto, value, path, { ...body, nullable: true }))
  @ApiPropertyOptional({ type: FormSettingsDto, description: 'What the form does beyond storing submissions.' })
  settings?: SentSettings;
}

@UpdateOf(() => [FormDto, FormDetailDto])
export class UpdateFormDto {
  @OptionalName('Contact us')
  name?: string;

  @Slug('contact-us')
  slug?: string;

  @IfPresent()
  @CheckedBy((value, path, body) => checkDefinitions(body.queueKey, value, 'form', { path, ...body }))
  @ApiPropertyOptional({
    ...fieldsSchema,
    description:
      'Replaces the whole list, for submissions from now on. Stored submissions keep all of their values, and show them. The type of ' +
      'a field may change.',
  })
  fields?: FieldDefinition[];

  @IfPresent()
  @ValidateIf((_object, value) => value !== null)
  @IsString({ message: 'notify_email must be a string or null' })
  @CheckedBy((value, path) => (value === null ? [] : checkEmail(value, path)))
  @ApiPropertyOptional({ ...notifyEmailSchema, nullable: true, description: `${NOTIFY_EMAIL} \`null\` removes it.` })
  notify_email?: string | null;

  @IfPresent()
  @CheckedBy((value, path, body) => checkObject(FormSettingsDto, value, path, { ...body, nullable: true }))
  @ApiPropertyOptional({
    type: FormSettingsDto,
    description:
      'Settings that are not sent keep their values. One that is sent, such as `spam`, is replaced as a whole. `null` removes a setting.',
  })
  settings?: SentSettings;
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

/** A form as create, get and update return it. */
export class FormDetailDto extends FormBase {
  @ApiPropertyOptional({ ...notifyEmailSchema, description: 'Present only if it is set.' })
  notify_email?: string;

  @ApiPropertyOptional({ type: FormSettingsDto, description: 'Present only if any are set.' })
  settings?: FormSettings;

  @ApiProperty({ format: 'date-time', example: '2026-01-31T09:30:00.000Z' })
  created_at!: string;
}
