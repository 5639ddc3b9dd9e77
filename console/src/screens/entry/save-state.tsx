import { Button } from '../../parts/button';
import styles from './save-state.module.css';
import { useEditor, useEditorState } from './use-editor';

/** Whether what the form shows is saved, always visible and read aloud. */
export function SaveState() {
  const editor = useEditor();
  const { saving } = useEditorState(editor);
  const hasFailed = saving.is === 'failed';
  const words = { untouched: '', saved: 'Saved', saving: 'Saving …', failed: 'Not saved' }[saving.is];
  return (
    <div className={styles.state}>
      <div role="status" aria-live="polite" className={hasFailed ? styles.failed : styles.quiet}>
        <span>{hasFailed && saving.summary !== undefined ? `${words}: ${saving.summary}` : words}</span>
        {hasFailed && saving.message !== undefined && <span className={styles.why}> {saving.message}</span>}
      </div>
      {hasFailed && (
        <Button look="quiet" className={styles.again} onClick={() => void editor.store()}>
          Try again
        </Button>
      )}
    </div>
  );
}
