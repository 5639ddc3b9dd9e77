/**
 * Reads a URL, relative to `base` if there is one; undefined if the text is not one. `URL.canParse` of Node.js 20 must not be used: once V8 has optimized
 * its caller, it refuses URLs with letters such as `ü`.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
