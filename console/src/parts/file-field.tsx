import { useId } from 'react';
import { classNames } from './class-names';
import { FieldNotes, notesOf } from './field-notes';
import styles from './field.module.css';

interface FileFieldProps {
  label: string;
  /** Types and ends of names that the browser offers. */
  accept: string;
  error?: string;
  /** Undefined: no file is chosen any more. */
  onChoose: (file: File | undefined) => void;
}

/** One file of the person's device. */
export function FileField({ label, accept, error, onChoose }: FileFieldProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <input
        {...notesOf(id, { error })}
        id={id}
        type="file"
        accept={accept}
        className={classNames(styles.control, styles.file, error !== undefined && styles.invalid)}
        onChange={({ target }) => onChoose(target.files?.[0])}
      />
      <FieldNotes id={id} error={error} />
    </div>
  );
}
