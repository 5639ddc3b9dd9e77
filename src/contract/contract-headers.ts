/** The response depends on the key, and a client may keep it if it asks each time whether it is current. */
export const REVALIDATED = 'private, no-cache';

/** Documents the header of the responses. */
export const ETAG_HEADER = {
  ETag: { description: 'Send it as `If-None-Match`.', schema: { type: 'string' as const } },
};
