import { type ReactNode, useId } from 'react';
import { classNames } from '../class-names';
import { FieldNotes, notesOf } from './field-notes';
import styles from './field.module.css';

/** What stands around a control. */
export interface FieldWords {
  label: string;
  /** A sentence that helps before anything goes wrong. */
  help?: string;
  /** What is wrong with the value. */
  error?: string;
}

/** What ties a control to its label and notes. */
type ControlProps = ReturnType<typeof notesOf> & { id: string; className: string };

interface LabelledProps extends FieldWords {
  /** Of the whole field. */
  className?: string;
  /** The control says its label itself. */
  isLabelHidden?: boolean;
  /** Of the control. */
  look?: string;
  children: (control: ControlProps) => ReactNode;
}

/** The label above a control, and its notes below. */
export function Labelled({ label, help, error, className, isLabelHidden, look, children }: LabelledProps) {
  const id = useId();
  return (
    <div className={classNames(styles.field, className)}>
      {!isLabelHidden && (
        <label className={styles.label} htmlFor={id}>
          {label}
        </label>
      )}
      {children({
        ...notesOf(id, { help, error }),
        id,
        className: classNames(styles.control, look, error !== undefined && styles.invalid),
      })}
      <FieldNotes id={id} help={help} error={error} />
    </div>
  );
}
