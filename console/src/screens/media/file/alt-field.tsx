import { Button } from '../../../parts/button';
import { Form } from '../../../parts/form';
import { ProblemMessage } from '../../../parts/problem-message';
import { TextField } from '../../../parts/fields/text-field';
import styles from './file.module.css';
import type { useAlt } from './use-alt';

/** The API takes no more. */
const MAX_LENGTH = 1_000;

interface AltFieldProps {
  alt: ReturnType<typeof useAlt>;
  isReadOnly: boolean;
}

export function AltField({ alt, isReadOnly }: AltFieldProps) {
  return (
    <Form onSubmit={() => alt.save()}>
      <TextField
        label="Alternative text"
        help="What the picture shows, for those who do not see it. Entries that use the file keep their own."
        maxLength={MAX_LENGTH}
        readOnly={isReadOnly}
        value={alt.text}
        onChange={({ target }) => alt.setText(target.value)}
      />
      <ProblemMessage error={alt.error} />
      {!isReadOnly && (
        <div className={styles.buttons}>
          <Button type="submit" look="primary" isBusy={alt.isPending}>
            Save
          </Button>
          <span role="status" className={styles.state}>
            {stateOf(alt)}
          </span>
        </div>
      )}
    </Form>
  );
}

function stateOf({ isSaved, isPending, text }: AltFieldProps['alt']): string {
  if (isPending) return 'Saving …';
  if (!isSaved) return 'Not saved';
  return text === '' ? 'None yet' : 'Saved';
}
