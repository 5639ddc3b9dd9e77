import styles from './field.module.css';
import { type FieldWords, Labelled } from './labelled';

interface FileFieldProps extends FieldWords {
  /** Types and ends of names that the browser offers. */
  accept: string;
  /** Undefined: no file is chosen any more. */
  onChoose: (file: File | undefined) => void;
}

/** One file of the person's device. */
export function FileField({ accept, onChoose, ...words }: FileFieldProps) {
  return (
    <Labelled {...words} look={styles.file}>
      {(control) => (
        <input {...control} type="file" accept={accept} onChange={({ target }) => onChoose(target.files?.[0])} />
      )}
    </Labelled>
  );
}
