import type { ComponentProps } from 'react';
import { type FieldWords, Labelled } from './labelled';

interface SelectProps extends ComponentProps<'select'>, FieldWords {
  /** The label is only read aloud, where a column's header shows it. */
  isLabelHidden?: boolean;
}

/** The browser's own list: every phone and screen reader knows how to use it. */
export function Select({ label, help, error, isLabelHidden, className, ...select }: SelectProps) {
  return (
    <Labelled {...{ label, help, error, className, isLabelHidden }}>
      {(control) => <select {...select} {...control} {...(isLabelHidden && { 'aria-label': label })} />}
    </Labelled>
  );
}
