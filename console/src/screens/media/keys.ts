/** Everything about the files of a tenant. */
function mediaKey(tenantId: string): string[] {
  return [tenantId, 'media'];
}

/** The lists of files. */
export function mediaListKey(tenantId: string): string[] {
  return [...mediaKey(tenantId), 'list'];
}

/** One file. */
export function fileKey(tenantId: string, id: string): string[] {
  return [...mediaKey(tenantId), 'file', id];
}

/** Where a file is used. */
export function usesKey(tenantId: string, id: string): string[] {
  return [...mediaKey(tenantId), 'uses', id];
}
