import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiProblem } from '../../../api/problem';
import { type FormDetail, type FormField, updateForm } from '../../../api/forms';
import { Button } from '../../../parts/button';
import { Buttons } from '../../../parts/buttons';
import { moved } from '../../../parts/ordering/moved';
import { ProblemMessage } from '../../../parts/problem-message';
import { Section } from '../../../parts/page';
import { Rows } from '../../../parts/rows';
import { say } from '../../../parts/status';
import { TwoColumns } from '../../../parts/two-columns';
import { useTenant } from '../../../shell/tenant';
import { formKey } from '../keys';
import { FieldDialog } from './field-dialog';
import { FieldRow } from './field-row';
import { FormPreview } from './form-preview';

/** The field that a dialog is about. Without an index, a new one. */
interface Edited {
  readonly index?: number;
}

/** The fields of a form, and beside them what visitors will see. Nothing changes for visitors before it is saved. */
export function FieldsTab({ form }: { form: FormDetail }) {
  const tenant = useTenant();
  const client = useQueryClient();
  const [fields, setFields] = useState<readonly FormField[]>(form.fields);
  const [edited, setEdited] = useState<Edited>();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => updateForm(tenant.id, form.id, { fields }),
    onSuccess: (saved) => {
      say('The fields were saved.');
      setFields(saved.fields);
      return client.invalidateQueries({ queryKey: formKey(tenant.id, form.id) });
    },
  });
  const isChanged = JSON.stringify(fields) !== JSON.stringify(form.fields);
  const move = (index: number, step: 1 | -1) => setFields(moved(fields, index, step));
  return (
    <>
      <TwoColumns
        first={
          <>
            <Rows label="Fields">
              {fields.map((field, index) => (
                <FieldRow
                  key={field.name}
                  field={field}
                  onEdit={() => setEdited({ index })}
                  onRemove={fields.length > 1 ? () => setFields(fields.filter((_, at) => at !== index)) : undefined}
                  onUp={index > 0 ? () => move(index, -1) : undefined}
                  onDown={index < fields.length - 1 ? () => move(index, 1) : undefined}
                />
              ))}
            </Rows>
            <ProblemMessage error={withNames(error, fields)} onRetry={() => mutate()} />
            <Buttons>
              <Button onClick={() => setEdited({})}>Add field</Button>
              <Button look="primary" disabled={!isChanged} isBusy={isPending} onClick={() => mutate()}>
                Save fields
              </Button>
              {isChanged && (
                <Button look="quiet" onClick={() => setFields(form.fields)}>
                  Undo changes
                </Button>
              )}
            </Buttons>
          </>
        }
        second={
          <Section title="What visitors see">
            <FormPreview fields={fields} />
          </Section>
        }
      />
      {edited && (
        <FieldDialog
          field={edited.index === undefined ? undefined : fields[edited.index]}
          taken={fields.filter((_, index) => index !== edited.index).map(({ name }) => name)}
          onSave={(field) => {
            setFields(
              edited.index === undefined
                ? [...fields, field]
                : fields.map((each, at) => (at === edited.index ? field : each)),
            );
            setEdited(undefined);
          }}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  );
}

/** The service counts fields from 0, and people know them by name. */
function withNames(error: unknown, fields: readonly FormField[]): unknown {
  if (!(error instanceof ApiProblem)) return error;
  const said = error.errors.map(({ path, message }) => {
    const index = /^fields\.(\d+)/.exec(path)?.[1];
    const field = index === undefined ? undefined : fields[Number(index)];
    return field ? `${field.label || field.name}: ${message}` : message;
  });
  return said.length > 0 ? new Error(said.join(' ')) : error;
}
