/** The size that WordPress puts into the names of scaled pictures: `photo-300x200.jpg`, `photo-scaled.jpg`. */
const SCALED = /-(?:\d+x\d+|scaled|rotated)(?=\.[A-Za-z0-9]+$)/;

/** Stored files by the URLs that they had in the source. The scheme, the query and the size of a scaled picture do not matter. */
export class Links {
  private readonly urls = new Map<string, string>();

  add(url: string, stored: string): void {
    const key = keyOf(url);
    if (key === undefined) return;
    for (const one of [key, key.replace(SCALED, '')]) if (!this.urls.has(one)) this.urls.set(one, stored);
    // A page may name the file without its host.
    const path = key.slice(key.indexOf('/'));
    if (path.startsWith('/wp-content/') && !this.urls.has(path)) this.urls.set(path, stored);
  }

  find(url: string): string | undefined {
    if (this.urls.size === 0) return undefined;
    const key = keyOf(url);
    return key === undefined ? undefined : (this.urls.get(key) ?? this.urls.get(key.replace(SCALED, '')));
  }
}

function keyOf(url: string): string | undefined {
  const plain = url
    .replaceAll('&amp;', '&')
    .replace(/^https?:/i, '')
    .replace(/[?#].*$/s, '');
  if (!plain.startsWith('//')) return plain.startsWith('/') ? decoded(plain) : undefined;
  const at = plain.indexOf('/', 2);
  return at < 0 ? undefined : plain.slice(2, at).toLowerCase() + decoded(plain.slice(at));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
