import { useQuery } from '@tanstack/react-query';
import { listTypes } from '../../api/content-types';
import { useTenant } from '../../shell/tenant';
import { typesKey } from '../content/keys';

/** The content types that references may lead to. A definition names them by ID or slug, the editor by slug. */
export function useTargets() {
  const { id } = useTenant();
  const { data: types = [] } = useQuery({
    queryKey: typesKey(id),
    queryFn: ({ signal }) => listTypes(id, signal),
  });
  const slugOf = (target: string) => types.find((type) => type.id === target)?.slug ?? target;
  return { types, slugOf };
}
