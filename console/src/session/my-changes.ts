import { useMutation, useQueryClient } from '@tanstack/react-query';
import { changeMe, type Me, type MyChanges } from '../api/me';
import type { Session } from '../api/sessions';
import { SESSION_KEY } from './session';

export const ME_KEY = ['me', 'myself'];

interface Callbacks {
  onSuccess?: (me: Me) => void;
  onError?: (error: Error) => void;
}

/** Changes the person who is signed in, and what the page shows of them. */
export function useMyChanges({ onSuccess, onError }: Callbacks = {}) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (changes: MyChanges) => changeMe(changes),
    onSuccess: (me) => {
      client.setQueryData(ME_KEY, me);
      client.setQueryData<Session>(SESSION_KEY, (session) => session && { ...session, ...me });
      onSuccess?.(me);
    },
    onError,
    // A password is not kept.
    gcTime: 0,
  });
}
