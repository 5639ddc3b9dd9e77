import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { deleteForm, type FormDetail } from '../../../api/forms';
import { countSubmissions } from '../../../api/submissions';
import { Confirm } from '../../../parts/confirm';
import { countedAs } from '../../../parts/numbers';
import { say } from '../../../parts/status';
import { useTenant } from '../../../shell/tenant';
import { formsKey, submissionsKey } from '../keys';

interface DeleteFormProps {
  form: FormDetail;
  onClose: () => void;
}

export function DeleteForm({ form: { id, name }, onClose }: DeleteFormProps) {
  const tenant = useTenant();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const { data: count } = useQuery({
    queryKey: [...submissionsKey(tenant.id, id), 'count', 'all'],
    queryFn: ({ signal }) => countSubmissions(tenant.id, id, { verdict: 'any' }, signal),
  });
  return (
    <Confirm
      title={`Delete the form ${name}?`}
      action={count === undefined ? 'Delete the form' : `Delete the form and ${countedAs(count, 'submission')}`}
      onConfirm={() => deleteForm(tenant.id, id)}
      onDone={() => {
        say(`The form ${name} was deleted.`);
        void client.invalidateQueries({ queryKey: formsKey(tenant.id) });
        navigate('/forms');
      }}
      onClose={onClose}
    >
      Websites that show it can no longer send it. It cannot be undone.
    </Confirm>
  );
}
