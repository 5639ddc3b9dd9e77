/**
 * Returns the headers of a response that is the same for everybody: browsers and CDNs keep it for `maxAge` seconds, and return it for as
 * long again while they fetch a new one (RFC 5861).
 */
export function publicHeaders(etag: string, maxAge: number): { ETag: string; 'Cache-Control': string } {
  return { ETag: etag, 'Cache-Control': `public, max-age=${maxAge}, stale-while-revalidate=${maxAge}` };
}
