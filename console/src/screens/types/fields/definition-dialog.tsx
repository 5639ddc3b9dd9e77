import { FormProvider, useForm } from 'react-hook-form';
import { Dialog } from '../../../parts/dialog';
import { SubmitButtons } from '../../../parts/submit-buttons';
import { Form } from '../../../parts/form';
import type { DraftField } from '../model/draft';
import { definitionFrom, type DefinitionValues, definitionValues } from '../model/definition-values';
import { useTargets } from '../use-targets';
import { FieldInputs } from './field-inputs';

interface DefinitionDialogProps {
  /** Without one, a new field. */
  field?: DraftField;
  title: string;
  /** The fields beside it. */
  others: readonly DraftField[];
  isInner: boolean;
  onSave: (field: DraftField) => void;
  onClose: () => void;
}

/** A definition, without those inside of it. */
export function DefinitionDialog({ field, title, others, isInner, onSave, onClose }: DefinitionDialogProps) {
  const { slugOf } = useTargets();
  const form = useForm<DefinitionValues>({ defaultValues: definitionValues(field?.definition, slugOf) });
  const save = (values: DefinitionValues) => onSave(draftWith(values, field, isInner));
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <Form onSubmit={form.handleSubmit(save)}>
        <FormProvider {...form}>
          <FieldInputs field={field} others={others} isInner={isInner} />
        </FormProvider>
        <SubmitButtons action={field ? 'Change field' : 'Add to the type'} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

function draftWith(values: DefinitionValues, before: DraftField | undefined, isInner: boolean): DraftField {
  return {
    key: before?.key ?? '',
    ...(before?.was !== undefined && { was: before.was }),
    definition: definitionFrom(values, isInner),
    ...(values.type === 'group' && { fields: before?.fields ?? [] }),
    ...(values.type === 'blocks' && { blocks: before?.blocks ?? [] }),
  };
}
