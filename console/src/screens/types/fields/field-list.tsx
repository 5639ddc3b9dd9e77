import { useState } from 'react';
import { Button } from '../../../parts/button';
import { moved } from '../../../parts/ordering/moved';
import { Rows } from '../../../parts/rows';
import { type DraftField, labelOfField, newKey } from '../model/draft';
import { DefinitionDialog } from './definition-dialog';
import { FieldItem } from './field-item';
import styles from './fields.module.css';

interface FieldListProps {
  fields: readonly DraftField[];
  /** What the fields are inside of. Without it, they are those of the type. */
  inside?: string;
  onChange: (fields: readonly DraftField[]) => void;
}

/** A list of definitions, in which those of groups and blocks have lists of their own. */
export function FieldList({ fields, inside, onChange }: FieldListProps) {
  const [edited, setEdited] = useState<{ readonly field?: DraftField }>();
  const change = (field: DraftField) => onChange(fields.map((each) => (each.key === field.key ? field : each)));
  const save = (field: DraftField) => {
    if (edited?.field) change(field);
    else onChange([...fields, { ...field, key: newKey() }]);
    setEdited(undefined);
  };
  const addName = inside === undefined ? undefined : `Add field to ${inside}`;
  return (
    <div className={styles.list}>
      <Rows label={inside === undefined ? 'Fields' : `Fields of ${inside}`}>
        {fields.map((field, index) => (
          <FieldItem
            key={field.key}
            field={field}
            onEdit={() => setEdited({ field })}
            onChange={change}
            onRemove={() => onChange(fields.filter((each) => each !== field))}
            onUp={index > 0 ? () => onChange(moved(fields, index, -1)) : undefined}
            onDown={index < fields.length - 1 ? () => onChange(moved(fields, index, 1)) : undefined}
          />
        ))}
      </Rows>
      <div>
        <Button aria-label={addName} onClick={() => setEdited({})}>
          Add field
        </Button>
      </div>
      {edited && (
        <DefinitionDialog
          field={edited.field}
          title={edited.field ? `Edit ${labelOfField(edited.field)}` : (addName ?? 'Add field')}
          others={fields.filter((each) => each !== edited.field)}
          isInner={inside !== undefined}
          onSave={save}
          onClose={() => setEdited(undefined)}
        />
      )}
    </div>
  );
}
