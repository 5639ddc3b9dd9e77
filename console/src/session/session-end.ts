import { useSyncExternalStore } from 'react';

/** Requests that wait until the person is signed in again. */
interface Waiting {
  readonly promise: Promise<boolean>;
  readonly settle: (isSignedIn: boolean) => void;
}

let waiting: Waiting | undefined;
const listeners = new Set<() => void>();

function change(next: Waiting | undefined): void {
  waiting = next;
  for (const listener of listeners) listener();
}

/** Asks to sign in again, once for all requests that find the session ended. Resolves to false if the person does not. */
export function waitForSession(): Promise<boolean> {
  if (!waiting) {
    let settle: (isSignedIn: boolean) => void = () => undefined;
    const promise = new Promise<boolean>((resolve) => (settle = resolve));
    change({ promise, settle });
  }
  return waiting?.promise ?? Promise.resolve(false);
}

export function settleSession(isSignedIn: boolean): void {
  const settled = waiting;
  change(undefined);
  settled?.settle(isSignedIn);
}

/** Whether somebody must sign in before the page can go on. */
export function useSessionEnded(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => waiting !== undefined,
  );
}
