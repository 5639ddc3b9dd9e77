import { type ComponentProps, useId } from 'react';
import { classNames } from './class-names';
import { FieldNotes, notesOf } from './field-notes';
import styles from './field.module.css';

interface SelectProps extends ComponentProps<'select'> {
  label: string;
  help?: string;
  error?: string;
  /** The label is only read aloud, where a column's header shows it. */
  isLabelHidden?: boolean;
}

/** The browser's own list: every phone and screen reader knows how to use it. */
export function Select({ label, help, error, isLabelHidden, className, ...select }: SelectProps) {
  const id = useId();
  return (
    <div className={classNames(styles.field, className)}>
      {!isLabelHidden && (
        <label className={styles.label} htmlFor={id}>
          {label}
        </label>
      )}
      <select
        {...select}
        {...notesOf(id, { help, error })}
        {...(isLabelHidden && { 'aria-label': label })}
        id={id}
        className={classNames(styles.control, error !== undefined && styles.invalid)}
      />
      <FieldNotes id={id} help={help} error={error} />
    </div>
  );
}
