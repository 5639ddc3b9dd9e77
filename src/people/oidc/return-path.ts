import { parseUrl } from '../../validation/parse-url.js';

const MAX_LENGTH = 1_024;
/** Any origin: it only shows whether a path leads away from it. */
const ORIGIN = 'http://console.invalid';

/** Returns the path, query and fragment if it is one of the console's pages, as a browser would read it; otherwise undefined. */
export function consolePath(text: string): string | undefined {
  // Browsers drop or repair these.
  if (text.length > MAX_LENGTH || /[\\\s\p{Cc}\p{Cf}\p{Cs}]/u.test(text)) return undefined;
  const url = text.startsWith('/console') ? parseUrl(text, ORIGIN) : undefined;
  if (!url) return undefined;
  const { origin, pathname, search, hash } = url;
  const isConsole = pathname === '/console' || pathname.startsWith('/console/');
  return origin === ORIGIN && isConsole ? pathname + search + hash : undefined;
}
