import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { useOwnStorage } from '../../session/own-storage';

interface RecentPlace {
  readonly name: string;
  /** Below the tenant's address. */
  readonly href: string;
}

/** Places that are kept. */
const KEPT = 8;
/** Where the title of the page ends. */
const REST = ' · Trivet';
/** Pages that are reached anyway, or show something new each time. */
const NOT_KEPT = /^\/$|\/new$/;

/** Where the person was last in the tenant, the newest place first. This browser keeps it. */
export function useRecentPlaces(): [readonly RecentPlace[], (next: readonly RecentPlace[]) => void] {
  return useOwnStorage('recent places', read);
}

/** Notes each page that is left, by its title. */
export function useNoteRecent(): void {
  const [location] = useLocation();
  const [places, keep] = useRecentPlaces();
  const latest = useRef(places);
  useEffect(() => {
    latest.current = places;
  }, [places]);
  useEffect(() => {
    const before = document.title;
    return () => {
      const { title } = document;
      // The page was left before it was there.
      if (title === before || !title.endsWith(REST) || NOT_KEPT.test(location)) return;
      const place = { name: title.slice(0, -REST.length), href: location };
      keep([place, ...latest.current.filter(({ href }) => href !== location)].slice(0, KEPT));
    };
  }, [location, keep]);
}

function read(stored: unknown): readonly RecentPlace[] {
  return Array.isArray(stored) ? stored.filter(isPlace).slice(0, KEPT) : [];
}

function isPlace(value: unknown): value is RecentPlace {
  if (typeof value !== 'object' || value === null || !('name' in value) || !('href' in value)) return false;
  return typeof value.name === 'string' && typeof value.href === 'string' && value.href.startsWith('/');
}
