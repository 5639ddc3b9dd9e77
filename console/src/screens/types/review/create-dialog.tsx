import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { ApiProblem } from '../../../api/problem';
import { createType } from '../../../api/type-changes';
import { Button } from '../../../parts/button';
import { Dialog, DialogButtons } from '../../../parts/dialog';
import { countedAs } from '../../../parts/numbers';
import { ProblemMessage } from '../../../parts/problem-message';
import { say } from '../../../parts/status';
import { useTenant } from '../../../shell/tenant';
import { typesKey } from '../../content/keys';
import { createBody, type TypeDraft } from '../model/draft';
import { inLabels } from './definition-problem';

interface CreateDialogProps {
  draft: TypeDraft;
  /** What the service says about the names, which are beside the page's own fields. */
  onFaults: (faults: Readonly<Record<string, string>>) => void;
  onClose: () => void;
}

export function CreateDialog({ draft, onFaults, onClose }: CreateDialogProps) {
  const tenant = useTenant();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const body = createBody(draft);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => createType(tenant.id, body),
    onSuccess: ({ name, slug }) => {
      say(`The content type ${name} was made.`);
      void client.invalidateQueries({ queryKey: typesKey(tenant.id) });
      navigate(`/content/${slug}`);
    },
    onError: (failure) => {
      if (failure instanceof ApiProblem) {
        onFaults(Object.fromEntries(failure.errors.map(({ path, message }) => [path, message])));
      }
    },
  });
  return (
    <Dialog title={`Create ${body.name}?`} isOpen onClose={onClose}>
      <p>
        The content type <bdi>{body.name}</bdi> is made with {countedAs(draft.fields.length, 'field')}. No entry is in
        it yet.
      </p>
      <ProblemMessage error={inLabels(error, body.fields ?? [])} />
      <DialogButtons>
        <Button look="primary" isBusy={isPending} onClick={() => mutate()}>
          Apply
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </DialogButtons>
    </Dialog>
  );
}
