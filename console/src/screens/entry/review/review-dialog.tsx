import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { askForReview } from '../../../api/entry-parts/review';
import { ApiProblem } from '../../../api/problem';
import { Dialog } from '../../../parts/dialog';
import { SubmitButtons } from '../../../parts/submit-buttons';
import { Form } from '../../../parts/form';
import { ProblemMessage } from '../../../parts/problem-message';
import { say } from '../../../parts/status';
import { TextArea } from '../../../parts/fields/text-field';
import { type OfEntry, useAddress } from '../use-address';
import { useReadReview } from './use-review';

interface ReviewDialogProps extends OfEntry {
  onClose: () => void;
}

/** Asks others to look at the draft of an entry. */
export default function ReviewDialog({ type, entry, onClose }: ReviewDialogProps) {
  const address = useAddress({ type, entry });
  const readReview = useReadReview({ type, entry });
  const [note, setNote] = useState('');
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => askForReview(address, note.trim()),
    onSuccess: () => {
      onClose();
      say('The review was asked for.');
      void readReview();
    },
  });
  const fault = error instanceof ApiProblem ? error.errors.find(({ path }) => path === 'note') : undefined;
  return (
    <Dialog title="Ask for review" isOpen onClose={onClose}>
      <Form onSubmit={() => mutate()}>
        <ProblemMessage error={fault ? undefined : error} />
        <p>Who reviews finds the entry among the drafts that wait. Asking again replaces what was asked before.</p>
        <TextArea
          label="Note"
          help="What the reviewer should know. It may be left out."
          error={fault?.message.replace(/^note/, 'Note')}
          value={note}
          onChange={({ target }) => setNote(target.value)}
        />
        <SubmitButtons action="Send" isBusy={isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
