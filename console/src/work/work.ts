import { useSyncExternalStore } from 'react';
import { say } from '../parts/status';

/** One thing of a piece of work that failed. */
export interface Failure {
  readonly name: string;
  /** Where it can be looked at, below the tenant's address. */
  readonly href?: string;
  readonly message: string;
}

/** How a piece of work ended. */
interface WorkEnd {
  /** What was done, as a sentence. */
  readonly said: string;
  readonly failures?: readonly Failure[];
  /** Does what failed again. */
  readonly again?: () => void;
}

/** What a piece of work is given. */
export interface WorkHandle {
  /** Aborted when the person cancels. */
  readonly signal: AbortSignal;
  /** `done` from 0 to 1, or undefined while nobody can tell. `words` says it in the words of people. */
  readonly progress: (done: number | undefined, words?: string) => void;
}

export interface WorkOrder {
  readonly tenantId: string;
  /** What is done, in the words of its button: `Delete 3 entries`. */
  readonly title: string;
  /** Rejects if it could not go on. It can then be done again from the beginning. */
  readonly run: (handle: WorkHandle) => Promise<WorkEnd>;
  /** Called when it has ended, in whatever way. */
  readonly onEnd?: () => void;
}

/** Work that goes on wherever the person goes in the console. */
export interface Work extends WorkOrder {
  readonly id: number;
  readonly state: 'running' | 'done' | 'stopped';
  readonly done?: number;
  readonly words?: string;
  readonly end?: WorkEnd;
  readonly error?: unknown;
  readonly cancel: () => void;
}

let works: readonly Work[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly Work[]): void {
  works = next;
  for (const listener of listeners) listener();
  if (works.some(({ state }) => state === 'running')) window.addEventListener('beforeunload', warn);
  else window.removeEventListener('beforeunload', warn);
}

/** Closing the tab would end it. */
function warn(event: Event): void {
  event.preventDefault();
}

/** Begins a piece of work. If nothing of it fails, the page says what was done, and it is forgotten. */
export function startWork(order: WorkOrder): void {
  const id = ++lastId;
  const controller = new AbortController();
  const update = (part: Partial<Work>) => change(works.map((work) => (work.id === id ? { ...work, ...part } : work)));
  change([...works, { ...order, id, state: 'running', cancel: () => controller.abort() }]);
  const progress: WorkHandle['progress'] = (done, words) => update({ done, words });
  void order
    .run({ signal: controller.signal, progress })
    .then(
      (end) => {
        if (end.failures?.length) return update({ state: 'done', end });
        forgetWork(id);
        say(end.said);
      },
      (error: unknown) => {
        if (!controller.signal.aborted) return update({ state: 'stopped', error });
        forgetWork(id);
        say('It was cancelled.');
      },
    )
    .finally(order.onEnd);
}

export function forgetWork(id: number): void {
  change(works.filter((work) => work.id !== id));
}

export function useWorks(tenantId: string): readonly Work[] {
  const all = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => works,
  );
  return all.filter((work) => work.tenantId === tenantId);
}
