import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { countEntries } from '../../api/entries';
import { type DefinedType, deleteType } from '../../api/type-changes';
import { Confirm } from '../../parts/confirm';
import { countedAs } from '../../parts/numbers';
import { say } from '../../parts/status';
import { useTenant } from '../../shell/tenant';
import { entriesKey, typesKey } from '../content/keys';

interface DeleteTypeProps {
  type: DefinedType;
  tag: string;
  onClose: () => void;
}

export function DeleteType({ type: { id, name, slug }, tag, onClose }: DeleteTypeProps) {
  const tenant = useTenant();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const { data: count } = useQuery({
    queryKey: [...entriesKey(tenant.id, slug), 'count'],
    queryFn: ({ signal }) => countEntries(tenant.id, id, signal),
  });
  const entries = count === undefined ? 'its entries' : countedAs(count, 'entry', 'entries');
  return (
    <Confirm
      title={`Delete the content type ${name}?`}
      action={`Delete the type and ${entries}`}
      onConfirm={() => deleteType(tenant.id, { id, tag })}
      onDone={() => {
        say(`The content type ${name} was deleted.`);
        navigate('/content');
        client.removeQueries({ queryKey: entriesKey(tenant.id, slug) });
        void client.invalidateQueries({ queryKey: typesKey(tenant.id) });
      }}
      onClose={onClose}
    >
      {count === 0 ? 'It has no entries.' : `Sites that show ${entries} no longer find them.`} It cannot be undone.
    </Confirm>
  );
}
