import { useOwnStorage } from '../../../../session/own-storage';

/** A language whose values are being deleted, or were. */
export interface BegunPurge {
  readonly id: string;
  /** What the person knows the language by. */
  readonly name: string;
}

/** Purges that are kept in sight. */
const KEPT = 10;

/** The purges that the person began and has not put away. The browser keeps them, because the service goes on when the page is left. */
export function usePurges() {
  const [purges, change] = useOwnStorage('purges', purgesIn);
  return {
    purges,
    add: (purge: BegunPurge) => change([purge, ...purges.filter(({ id }) => id !== purge.id)].slice(0, KEPT)),
    putAway: (id: string) => change(purges.filter((purge) => purge.id !== id)),
  };
}

function purgesIn(stored: unknown): readonly BegunPurge[] {
  return Array.isArray(stored) ? stored.filter(isPurge).slice(0, KEPT) : [];
}

function isPurge(value: unknown): value is BegunPurge {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    typeof value.id === 'string' &&
    'name' in value &&
    typeof value.name === 'string'
  );
}
