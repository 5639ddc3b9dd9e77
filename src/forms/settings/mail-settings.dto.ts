import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsDefined } from 'class-validator';
import { checkEmail, MAX_EMAIL } from '../../fields/formats/email.js';
import { checkItems, checkObject, CheckedBy } from '../../http/bodies/dto.pipe.js';
import { IfPresent } from '../../validation/if-present.js';
import { IsTextOf, MAX_NAME } from './setting-decorators.js';

const MAX_RECIPIENTS = 10;
const MAX_SUBJECT = 255;
const MAX_TEXT = 10_000;

const PLACEHOLDERS = '`{{name}}` stands for the value of the field `name`.';

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
