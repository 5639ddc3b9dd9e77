import fresh from 'fresh';

/** Whether the client already has the version with this ETag (`If-None-Match`, RFC 9110, section 13.1.2). */
export function hasRoute(ifNoneMatch: string | undefined, etag: string): boolean {
  return ifNoneMatch !== undefined && fresh({ 'if-none-match': ifNoneMatch }, { etag });
}
