import { useCallback, useMemo, useState } from 'react';
import { useTenant } from '../shell/tenant';
import { identityOf } from './identity';
import { useSession } from './session';

/**
 * A value that this browser keeps for the person (or key) and the tenant: nobody else is shown it. `name` says what it is for. `read` returns
 * what the stored JSON means, whatever it is. Returns the value and what changes it.
 */
export function useOwnStorage<T>(name: string, read: (stored: unknown) => T): [T, (next: T) => void] {
  const { id } = useTenant();
  const who = identityOf(useSession());
  const key = useMemo(() => ownKey(who, id, name), [who, id, name]);
  const [kept, setKept] = useState(() => ({ key, value: read(load(key)) }));
  const current = kept.key === key ? kept : { key, value: read(load(key)) };
  if (current !== kept) setKept(current);
  const change = useCallback(
    (value: T) => {
      setKept({ key, value });
      store(key, value);
    },
    [key],
  );
  return [current.value, change];
}

/** Where something of this person (or key) and tenant is kept. */
export function ownKey(who: string, tenantId: string, ...names: readonly string[]): string {
  return `trivet ${JSON.stringify([who, tenantId, ...names])}`;
}

/** The keys of all that is kept under these names and one more. */
export function ownKeysBelow(who: string, tenantId: string, ...names: readonly string[]): readonly string[] {
  const beginning = `${ownKey(who, tenantId, ...names).slice(0, -1)},`;
  try {
    return Object.keys(window.localStorage).filter((key) => key.startsWith(beginning));
  } catch {
    return [];
  }
}

export function load(key: string): unknown {
  try {
    return JSON.parse(window.localStorage.getItem(key) ?? 'null');
  } catch {
    // A browser may keep nothing for this site, or something else wrote there.
    return null;
  }
}

export function forget(key: string): void {
  try {
    window.localStorage.removeItem(key);
  } catch {
    // Nothing is kept.
  }
}

export function store(key: string, value: unknown): void {
  try {
    window.localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // It is used until the page is loaded again.
  }
}
