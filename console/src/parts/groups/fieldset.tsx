import type { ReactNode } from 'react';
import { classNames } from '../class-names';
import styles from './fieldset.module.css';

interface FieldsetProps {
  legend: string;
  help?: ReactNode;
  error?: string;
  /** A long list of checkboxes scrolls in itself. */
  isList?: boolean;
  children: ReactNode;
}

/** Controls that belong together. */
export function Fieldset({ legend, help, error, isList, children }: FieldsetProps) {
  return (
    <fieldset className={styles.fieldset}>
      <legend>{legend}</legend>
      {error !== undefined && (
        <p role="alert" className={styles.error}>
          {error}
        </p>
      )}
      {help !== undefined && <p className={styles.help}>{help}</p>}
      <div className={classNames(styles.content, isList && styles.list)}>{children}</div>
    </fieldset>
  );
}
