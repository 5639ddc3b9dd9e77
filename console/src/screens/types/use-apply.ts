import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { type TypeBody, updateType } from '../../api/type-changes';
import { say } from '../../parts/status';
import { useTenant } from '../../shell/tenant';
import { entriesKey, typesKey } from '../content/keys';
import type { Editing } from './model/editing';
import { settled, watchChange } from './review/change-work';

/** Sends the change. One that takes long goes on in the panel of work. */
export function useApply({ stored }: Editing, onDone: () => void): (body: TypeBody) => Promise<void> {
  const tenant = useTenant();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const refresh = () => {
    void client.invalidateQueries({ queryKey: typesKey(tenant.id) });
    void client.invalidateQueries({ queryKey: entriesKey(tenant.id, stored.type.slug) });
  };
  return async (body) => {
    const { id, name } = stored.type;
    const answer = await updateType(tenant.id, { id, tag: stored.tag }, body);
    const change = 'state' in answer ? await settled(tenant.id, answer) : undefined;
    onDone();
    if (change?.state === 'running') {
      watchChange({ tenantId: tenant.id, name, change, onEnd: refresh });
      navigate(`/content/${stored.type.slug}`);
      return;
    }
    say(`${body.name ?? name} was changed.`);
    refresh();
    if (body.slug !== undefined) navigate(`/types/${body.slug}`, { replace: true });
  };
}
