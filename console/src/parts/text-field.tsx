import { type ComponentProps, useId } from 'react';
import { classNames } from './class-names';
import { FieldNotes, notesOf } from './field-notes';
import styles from './field.module.css';

interface TextFieldProps extends ComponentProps<'input'> {
  label: string;
  /** A sentence that helps before anything goes wrong. */
  help?: string;
  /** What is wrong with the value. */
  error?: string;
}

export function TextField({ label, help, error, className, ...input }: TextFieldProps) {
  const id = useId();
  return (
    <div className={classNames(styles.field, className)}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <input
        dir="auto"
        {...input}
        {...notesOf(id, { help, error })}
        id={id}
        className={classNames(styles.control, error !== undefined && styles.invalid)}
      />
      <FieldNotes id={id} help={help} error={error} />
    </div>
  );
}

interface TextAreaProps extends ComponentProps<'textarea'> {
  label: string;
  /** A sentence that helps before anything goes wrong. */
  help?: string;
  /** What is wrong with the value. */
  error?: string;
}

/** A text of several lines. */
export function TextArea({ label, help, error, className, ...area }: TextAreaProps) {
  const id = useId();
  return (
    <div className={classNames(styles.field, className)}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <textarea
        dir="auto"
        rows={4}
        {...area}
        {...notesOf(id, { help, error })}
        id={id}
        className={classNames(styles.control, styles.area, error !== undefined && styles.invalid)}
      />
      <FieldNotes id={id} help={help} error={error} />
    </div>
  );
}
