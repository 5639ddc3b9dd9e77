import { ApiPropertyOptional } from '@nestjs/swagger';
import { IfPresent } from '../../validation/if-present.js';
import type { FormTexts } from './form-settings.js';
import { IsTextOf } from './setting-decorators.js';

const MAX_TEXT = 200;

function OwnWords(description: string, example: string): PropertyDecorator {
  return (target, property) => {
    const schema = { minLength: 1, maxLength: MAX_TEXT, description, example };
    for (const decorate of [IfPresent(), IsTextOf(1, MAX_TEXT), ApiPropertyOptional(schema)])
      decorate(target, property);
  };
}

/** The form's own words. Whatever they replace, they are plain text. */
export class FormTextsDto implements FormTexts {
  @OwnWords('The label of the button.', 'Send application')
  submit?: string;

  @OwnWords('The first entry of a `select`, which stands for no choice.', 'Please select')
  choose?: string;

  @OwnWords('The message beside a required field that is not filled in.', 'We need this to answer you.')
  required?: string;

  @OwnWords('The title above the errors.', 'Almost done')
  not_sent?: string;

  @OwnWords('The title of the page after a submission. `thanks` is its text.', 'Application received')
  thanks_title?: string;

  @OwnWords('The link to the page that the visitor came from.', 'Back to our jobs')
  back?: string;

  @OwnWords('The text of a closed form.', 'The position has been filled.')
  closed?: string;
}
