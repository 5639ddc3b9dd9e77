import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Versioned } from '../../../api/entry';
import { type Locales, setLocales } from '../../../api/locales';
import { say } from '../../../parts/status';
import { useTenant } from '../../../shell/tenant';

interface SetLocales {
  readonly stored: Versioned<Locales>;
  /** What is said once it is done. */
  readonly done: string;
  readonly onError?: (error: Error) => void;
  readonly onClose: () => void;
}

/** Changes the languages of the tenant, if they are still those that are shown. */
export function useSetLocales({ stored, done, onError, onClose }: SetLocales) {
  const { id } = useTenant();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (changed: Locales) => setLocales(id, changed, stored.tag),
    onSuccess: () => {
      say(done);
      onClose();
    },
    ...(onError && { onError }),
    // What entries show may have changed with them.
    onSettled: () => client.invalidateQueries({ queryKey: [id] }),
  });
}
