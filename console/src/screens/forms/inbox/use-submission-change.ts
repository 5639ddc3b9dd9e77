import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Submission, updateSubmission } from '../../../api/submissions';
import { useTenant } from '../../../shell/tenant';
import { submissionsKey } from '../keys';

interface Change {
  readonly id: string;
  readonly body: { readonly state?: Submission['state']; readonly note?: string | null };
}

/** Changes the state or the note of a submission, and what the page knows about it. */
export function useSubmissionChange(formId: string) {
  const tenant = useTenant();
  const client = useQueryClient();
  const key = submissionsKey(tenant.id, formId);
  return useMutation({
    mutationFn: ({ id, body }: Change) => updateSubmission(tenant.id, { id, form_id: formId }, body),
    onSuccess: (changed) => {
      client.setQueryData([...key, 'one', changed.id], changed);
      return client.invalidateQueries({ queryKey: key, predicate: ({ queryKey }) => queryKey[key.length] !== 'one' });
    },
  });
}
