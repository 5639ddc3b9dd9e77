import { request } from './request';

/** What a file was called when it was uploaded. */
export async function getMediaName(tenantId: string, id: string, signal?: AbortSignal): Promise<string> {
  const path = `/v1/media/${encodeURIComponent(tenantId)}/${encodeURIComponent(id)}`;
  return (await request<{ data: { filename: string } }>('GET', path, { signal })).data.filename;
}
