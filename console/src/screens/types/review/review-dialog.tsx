import { useMutation, useQuery } from '@tanstack/react-query';
import { ApiProblem } from '../../../api/problem';
import { planType } from '../../../api/type-changes';
import { Button } from '../../../parts/button';
import { Dialog, DialogButtons } from '../../../parts/dialog';
import { Loading } from '../../../parts/loading';
import { ProblemMessage } from '../../../parts/problem-message';
import { useTenant } from '../../../shell/tenant';
import { updateBody } from '../model/draft';
import type { Editing } from '../model/editing';
import { useApply } from '../use-apply';
import { inLabels } from './definition-problem';
import { labelIn } from './label-at';
import { PlanSteps } from './plan-steps';
import { settingsInWords } from './plan-words';

interface ReviewDialogProps {
  editing: Editing;
  /** Reads the type that somebody else changed. */
  onReload: () => void;
  onClose: () => void;
}

/** What the change would do, before it is done. */
export function PlanDialog({ editing, onReload, onClose }: ReviewDialogProps) {
  const { stored, draft } = editing;
  const tenant = useTenant();
  const body = updateBody(draft, stored.draft);
  const plan = useQuery({
    queryKey: [tenant.id, 'plan', stored.tag, body],
    queryFn: ({ signal }) => planType(tenant.id, { id: stored.type.id, tag: stored.tag }, body, signal),
    gcTime: 0,
    retry: false,
  });
  const apply = useApply(editing, onClose);
  const { mutate, isPending, error } = useMutation({ mutationFn: () => apply(body) });
  const failure: unknown = error ?? plan.error;
  const isOutdated = failure instanceof ApiProblem && failure.status === 412;
  const settings = settingsInWords(body);
  const steps = plan.data ?? [];
  const isBlocked = steps.some(({ failing }) => failing > 0);
  return (
    <Dialog title={`Change ${stored.type.name}?`} isOpen onClose={onClose}>
      {plan.isPending && <Loading />}
      {isOutdated ? (
        <p role="alert">
          Somebody else has changed this content type since you opened it. Load it again, and make your changes to what
          it is now.
        </p>
      ) : (
        <ProblemMessage error={inLabels(failure, body.fields ?? [])} />
      )}
      {plan.data && (
        <>
          {settings.map((sentence) => (
            <p key={sentence} dir="auto">
              {sentence}
            </p>
          ))}
          <PlanSteps
            type={stored.type}
            fields={body.fields}
            steps={steps}
            labelAt={labelIn(draft.fields, stored.draft.fields)}
          />
          {steps.length === 0 && body.fields && <p>The fields get another order or other words.</p>}
          {isBlocked && <p>Change the entries above first. Then review again.</p>}
        </>
      )}
      <DialogButtons>
        {isOutdated ? (
          <Button look="primary" onClick={onReload}>
            Load again
          </Button>
        ) : (
          <Button look="primary" disabled={!plan.data || isBlocked} isBusy={isPending} onClick={() => mutate()}>
            Apply
          </Button>
        )}
        <Button onClick={onClose}>Cancel</Button>
      </DialogButtons>
    </Dialog>
  );
}
