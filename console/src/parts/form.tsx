import type { ComponentProps } from 'react';
import styles from './form.module.css';

/** A column of fields. The service says what is wrong, so the browser's own messages are off. */
export function Form({ onSubmit, ...rest }: Omit<ComponentProps<'form'>, 'className' | 'noValidate'>) {
  return (
    <form
      {...rest}
      noValidate
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        // A dialog is not a part of the form that it was opened from, except to React.
        event.stopPropagation();
        onSubmit?.(event);
      }}
    />
  );
}
