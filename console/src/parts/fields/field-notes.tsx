import styles from './field.module.css';

interface Notes {
  help?: string;
  error?: string;
}

/** The attributes that tie a control to its notes. */
export function notesOf(id: string, { help, error }: Notes) {
  const notes = [error !== undefined && `${id}-error`, help !== undefined && `${id}-help`].filter(Boolean);
  return { 'aria-invalid': error === undefined ? undefined : true, 'aria-describedby': notes.join(' ') || undefined };
}

/** What stands below a control. */
export function FieldNotes({ id, help, error }: Notes & { id: string }) {
  return (
    <>
      {error !== undefined && (
        <p id={`${id}-error`} className={styles.error}>
          {error}
        </p>
      )}
      {help !== undefined && (
        <p id={`${id}-help`} className={styles.help}>
          {help}
        </p>
      )}
    </>
  );
}
