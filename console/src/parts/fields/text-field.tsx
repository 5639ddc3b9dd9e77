import type { ComponentProps } from 'react';
import styles from './field.module.css';
import { type FieldWords, Labelled } from './labelled';

export function TextField({ label, help, error, className, ...input }: ComponentProps<'input'> & FieldWords) {
  return (
    <Labelled {...{ label, help, error, className }}>
      {(control) => <input dir="auto" {...input} {...control} />}
    </Labelled>
  );
}

/** A text of several lines. */
export function TextArea({ label, help, error, className, ...area }: ComponentProps<'textarea'> & FieldWords) {
  return (
    <Labelled {...{ label, help, error, className }} look={styles.area}>
      {(control) => <textarea dir="auto" rows={4} {...area} {...control} />}
    </Labelled>
  );
}
