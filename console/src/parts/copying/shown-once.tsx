import { CopyButton } from './copy-button';
import styles from './shown-once.module.css';
import { TextField } from '../fields/text-field';

interface ShownOnceProps {
  label: string;
  copyLabel: string;
  text: string;
}

/** A key or a secret that nobody can look up later, to be copied. */
export function ShownOnce({ label, copyLabel, text }: ShownOnceProps) {
  return (
    <div className={styles.once}>
      <TextField
        label={label}
        readOnly
        autoFocus
        value={text}
        dir="ltr"
        className={styles.text}
        onFocus={({ target }) => target.select()}
      />
      <CopyButton look="primary" label={copyLabel} text={text} done={`${label} copied.`} />
    </div>
  );
}
