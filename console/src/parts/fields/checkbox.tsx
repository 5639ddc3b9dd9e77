import { type ComponentProps, useId } from 'react';
import { FieldNotes, notesOf } from './field-notes';
import styles from './field.module.css';
import type { FieldWords } from './labelled';

export function Checkbox({ label, help, error, ...input }: Omit<ComponentProps<'input'>, 'type'> & FieldWords) {
  const id = useId();
  return (
    <div className={styles.check}>
      <input {...input} {...notesOf(id, { help, error })} id={id} type="checkbox" className={styles.box} />
      <label htmlFor={id}>{label}</label>
      <FieldNotes id={id} help={help} error={error} />
    </div>
  );
}
