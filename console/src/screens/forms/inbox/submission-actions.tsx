import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { FormDetail } from '../../../api/forms';
import { deleteSubmission, markAsSpam, releaseSubmission, type Submission } from '../../../api/submissions';
import { Button } from '../../../parts/button';
import { Confirm } from '../../../parts/confirm';
import { ProblemMessage } from '../../../parts/problem-message';
import { say } from '../../../parts/status';
import { useTenant } from '../../../shell/tenant';
import { submissionsKey } from '../keys';
import styles from './inbox.module.css';
import { useSubmissionChange } from './use-submission-change';

interface SubmissionActionsProps {
  form: FormDetail;
  submission: Submission;
  /** Called once it has left the list that is shown. */
  onGone: () => void;
}

export function SubmissionActions({ form, submission, onGone }: SubmissionActionsProps) {
  const tenant = useTenant();
  const client = useQueryClient();
  const [isDeleting, setDeleting] = useState(false);
  const isDone = submission.state === 'done';
  const isSpam = submission.verdict === 'spam';
  const change = useSubmissionChange(form.id);
  const refresh = () => client.invalidateQueries({ queryKey: submissionsKey(tenant.id, form.id) });
  const judge = useMutation({
    mutationFn: () => (isSpam ? releaseSubmission : markAsSpam)(tenant.id, submission),
    onSuccess: () => {
      say(isSpam ? 'It is in the inbox now, and its emails are sent.' : 'It was moved to spam.');
      onGone();
      return refresh();
    },
  });
  const markDone = () =>
    change.mutate(
      { id: submission.id, body: { state: isDone ? 'read' : 'done' } },
      {
        onSuccess: () => {
          say(isDone ? 'It is open again.' : 'It is done.');
          onGone();
        },
      },
    );
  return (
    <>
      <div className={styles.actions}>
        {!isSpam && (
          <Button look="primary" isBusy={change.isPending} onClick={markDone}>
            {isDone ? 'Mark as open' : 'Mark as done'}
          </Button>
        )}
        <Button look={isSpam ? 'primary' : 'secondary'} isBusy={judge.isPending} onClick={() => judge.mutate()}>
          {isSpam ? 'Not spam' : 'Spam'}
        </Button>
        <Button onClick={() => setDeleting(true)}>Delete</Button>
      </div>
      <ProblemMessage error={change.error ?? judge.error} />
      {isDeleting && (
        <Confirm
          title="Delete this submission?"
          action="Delete submission"
          onConfirm={() => deleteSubmission(tenant.id, submission)}
          onDone={() => {
            say('The submission was deleted.');
            onGone();
            void refresh();
          }}
          onClose={() => setDeleting(false)}
        >
          {submission.files.length > 0 ? `Its ${submission.files.length} files go with it. ` : ''}
          Emails about it that are still to be sent are not sent. It cannot be undone.
        </Confirm>
      )}
    </>
  );
}
