import { useState } from 'react';
import type { FormDetail } from '../../../api/forms';
import type { Submission } from '../../../api/submissions';
import { Button } from '../../../parts/button';
import { ProblemMessage } from '../../../parts/problem-message';
import { say } from '../../../parts/status';
import { TextArea } from '../../../parts/fields/text-field';
import { may } from '../../../session/rights';
import { useTenant } from '../../../shell/tenant';
import styles from './inbox.module.css';
import { useSubmissionChange } from './use-submission-change';

const MAX_LENGTH = 2_000;

/** What colleagues should know. It is saved when the field is left, or with the button. */
export function Note({ form, submission }: { form: FormDetail; submission: Submission }) {
  const tenant = useTenant();
  const stored = submission.note ?? '';
  const [text, setText] = useState(stored);
  const { mutate, isPending, error } = useSubmissionChange(form.id);
  if (!may(tenant, 'forms:write')) return stored === '' ? null : <p dir="auto">{stored}</p>;
  const save = () => {
    if (text === stored || isPending) return;
    mutate(
      { id: submission.id, body: { note: text === '' ? null : text } },
      { onSuccess: () => say('The note was saved.') },
    );
  };
  return (
    <div className={styles.note}>
      <TextArea
        label="Note"
        help="Only people who may read submissions see it."
        maxLength={MAX_LENGTH}
        rows={3}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onBlur={save}
      />
      <ProblemMessage error={error} onRetry={save} />
      {text !== stored && (
        <Button isBusy={isPending} onClick={save}>
          Save note
        </Button>
      )}
    </div>
  );
}
