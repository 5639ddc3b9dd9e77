import type { UseFormSetValue } from 'react-hook-form';
import { useFormContext, useWatch } from 'react-hook-form';
import { Checkbox } from '../../../parts/fields/checkbox';
import { Disclosure } from '../../../parts/groups/disclosure';
import { Select } from '../../../parts/fields/select';
import { TextField } from '../../../parts/fields/text-field';
import { type Attribute, FIELD_TYPES, hasAttribute, TYPE_WORDS } from '../model/attributes';
import type { DraftField } from '../model/draft';
import type { DefinitionValues } from '../model/definition-values';
import { BoundInputs } from './bound-inputs';
import { DefaultInput } from './default-input';
import { LabelAndName } from './label-and-name';
import { nameFault } from './names';
import { OptionsInput } from './options-input';
import { TargetInputs } from './target-inputs';
import { TranslationInputs } from './translation-inputs';

interface FieldInputsProps {
  field?: DraftField;
  others: readonly DraftField[];
  isInner: boolean;
}

interface Names {
  label: string;
  name: string;
}

/** What a field is and may hold: what its type has, and nothing else. */
export function FieldInputs({ field, others, isInner }: FieldInputsProps) {
  const { register, formState, setValue, control } = useFormContext<DefinitionValues>();
  const type = useWatch({ control, name: 'type' });
  const has = (attribute: Attribute) => hasAttribute(type, attribute, isInner);
  const was = field?.was;
  return (
    <>
      <LabelAndName
        register={register}
        setValue={setValue as unknown as UseFormSetValue<Names>}
        errors={formState.errors}
        isNameOwn={field !== undefined || formState.dirtyFields.name === true}
        nameHelp={was === undefined ? 'What programs read.' : 'What programs read. The values move to a new name.'}
        faultOf={(name) => nameFault(name, others, was)}
      />
      <Select label="Type" {...register('type')}>
        {FIELD_TYPES.map((each) => (
          <option key={each} value={each}>
            {TYPE_WORDS[each]}
          </option>
        ))}
      </Select>
      {has('targets') && <TargetInputs />}
      {has('options') && <OptionsInput />}
      <Checkbox label="Required" help="An entry without it cannot be published." {...register('required')} />
      {has('unique') && <Checkbox label="Unique" help="No two entries have the same value." {...register('unique')} />}
      {has('multiple') && <Checkbox label="Several values" {...register('multiple')} />}
      {!isInner && <TranslationInputs />}
      {has('bounds') && <BoundInputs type={type} />}
      <Disclosure title="More">
        {has('default') && <DefaultInput />}
        {has('pattern') && (
          <TextField
            label="Pattern"
            help="A regular expression that values match, such as ^[a-z0-9-]+$."
            autoComplete="off"
            spellCheck={false}
            dir="ltr"
            {...register('pattern')}
          />
        )}
        {has('html') && was !== undefined && (
          <Checkbox
            label="Texts are HTML already"
            help="When a text becomes formatted text. Otherwise it shows the same characters as before."
            {...register('html')}
          />
        )}
        <TextField label="Help" help="A sentence below the field." {...register('help')} />
        {has('placeholder') && (
          <TextField label="Placeholder" help="Shown while the field is empty." {...register('placeholder')} />
        )}
        {!isInner && (
          <TextField label="Tab" help="Fields with the same words are on one tab of the form." {...register('group')} />
        )}
      </Disclosure>
    </>
  );
}
