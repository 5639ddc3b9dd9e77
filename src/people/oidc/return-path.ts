const MAX_LENGTH = 1_024;
/** Any origin: it only shows whether a path leads away from it. */
const ORIGIN = 'http://console.invalid';

/** Returns the path, query and fragment if it is one of the console's pages, as a browser would read it; otherwise undefined. */
export function consolePath(text: string): string | undefined {
  // Browsers drop or repair these.
  if (text.length > MAX_LENGTH || /[\\\s\p{Cc}\p{Cf}\p{Cs}]/u.test(text)) return undefined;
  if (!text.startsWith('/console') || !URL.canParse(text, ORIGIN)) return undefined;
  const { origin, pathname, search, hash } = new URL(text, ORIGIN);
  const isConsole = pathname === '/console' || pathname.startsWith('/console/');
  return origin === ORIGIN && isConsole ? pathname + search + hash : undefined;
}
