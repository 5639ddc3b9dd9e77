import { useSyncExternalStore } from 'react';

/** `link`: signs in, and is removed from the address at once. The others stay until they are used, so that the page can be loaded again. */
const PREFIXES = { link: 'tvl_', invitation: 'tvi_', reset: 'tvr_' } as const;

const KEPT = 'trivet-fragment';

let link: string | undefined;

/** Removes the token of a sign-in link from the address and the history. */
export function takeSignInLink(): void {
  const token = tokenIn(window.location.hash, PREFIXES.link);
  if (token === undefined) return;
  link = token;
  forgetFragment();
}

/** The token of the link that led here. */
export function useToken(purpose: keyof typeof PREFIXES): string | undefined {
  return useSyncExternalStore(subscribe, () =>
    purpose === 'link' ? link : tokenIn(window.location.hash, PREFIXES[purpose]),
  );
}

/**
 * Keeps a fragment in this tab while somebody signs in elsewhere, until its page is back. As a part of the address that leads there and back it would be
 * in the logs of proxies.
 */
export function keepFragment(path: string, fragment: string): void {
  window.sessionStorage.setItem(KEPT, JSON.stringify([path, fragment]));
}

export function restoreFragment(): void {
  const kept = window.sessionStorage.getItem(KEPT);
  if (kept === null) return;
  window.sessionStorage.removeItem(KEPT);
  const [path, fragment] = JSON.parse(kept) as [string, string];
  if (window.location.pathname !== path || window.location.hash !== '') return;
  window.history.replaceState(window.history.state, '', `${path}${window.location.search}#${fragment}`);
}

export function forgetFragment(): void {
  window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search);
}

/** Somebody may open another link in the same tab, which loads nothing. */
function subscribe(listener: () => void): () => void {
  const onChange = () => {
    takeSignInLink();
    listener();
  };
  window.addEventListener('hashchange', onChange);
  return () => window.removeEventListener('hashchange', onChange);
}

function tokenIn(hash: string, prefix: string): string | undefined {
  const text = hash.slice(1);
  return text.startsWith(prefix) && /^\w[\w-]{0,500}$/.test(text) ? text : undefined;
}
