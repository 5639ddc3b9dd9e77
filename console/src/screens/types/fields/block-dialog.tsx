import { useForm } from 'react-hook-form';
import { Dialog } from '../../../parts/dialog';
import { SubmitButtons } from '../../../parts/submit-buttons';
import { Form } from '../../../parts/form';
import type { DraftBlock } from '../model/draft';
import { LabelAndName } from './label-and-name';

interface BlockDialogProps {
  /** Without one, a new block. */
  block?: DraftBlock;
  /** The names of the other blocks. */
  taken: readonly string[];
  onSave: (names: Pick<DraftBlock, 'name' | 'label'>) => void;
  onClose: () => void;
}

export function BlockDialog({ block, taken, onSave, onClose }: BlockDialogProps) {
  const { register, handleSubmit, formState, setValue } = useForm({
    defaultValues: { label: block?.label ?? block?.name ?? '', name: block?.name ?? '' },
  });
  const { errors, dirtyFields } = formState;
  return (
    <Dialog title={block ? `Edit block ${block.label || block.name}` : 'Add block'} isOpen onClose={onClose}>
      <Form onSubmit={handleSubmit(({ label, name }) => onSave({ name, label: label.trim() }))}>
        <LabelAndName
          register={register}
          setValue={setValue}
          errors={errors}
          isNameOwn={block !== undefined || dirtyFields.name === true}
          nameHelp={
            block
              ? 'With another name it is another block: what entries hold of this one is hidden.'
              : 'What programs read.'
          }
          faultOf={(name) => (taken.includes(name) ? 'Another block has this name.' : undefined)}
        />
        <SubmitButtons action={block ? 'Change block' : 'Add to the field'} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
