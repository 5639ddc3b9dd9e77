import { request } from './request';
import { upload } from './upload';

/** A file that was uploaded. */
export interface MediaFile {
  readonly id: string;
  readonly url: string;
  readonly alt: string;
  readonly filename: string;
  readonly mime_type: string;
  readonly size: number;
  /** Of images that state them. */
  readonly width?: number;
  readonly height?: number;
  readonly created_at: string;
}

export interface MediaPage {
  readonly data: readonly MediaFile[];
  readonly meta: { readonly next_cursor: string | null };
}

/** A field of an entry that a file is in. */
export interface MediaUse {
  readonly content_type_id: string;
  readonly entry_id: string;
  readonly field: string;
}

interface MediaUsePage {
  readonly data: readonly MediaUse[];
  readonly meta: { readonly next_cursor: string | null };
}

export interface MediaQuery {
  readonly search: string;
  readonly cursor: string;
  /** `image/*` */
  readonly mimeType?: string;
  readonly isWithoutAlt?: boolean;
}

/** Files of a page of the list. */
const PER_PAGE = '24';

function mediaPath(tenantId: string, id?: string): string {
  const path = `/v1/media/${encodeURIComponent(tenantId)}`;
  return id === undefined ? path : `${path}/${encodeURIComponent(id)}`;
}

export function listMedia(
  tenantId: string,
  { search, cursor, mimeType, isWithoutAlt }: MediaQuery,
  signal?: AbortSignal,
): Promise<MediaPage> {
  const query = new URLSearchParams({
    ...{ cursor, per_page: PER_PAGE },
    ...(search !== '' && { search }),
    ...(mimeType !== undefined && { 'filter[mime_type]': mimeType }),
    ...(isWithoutAlt && { 'filter[alt][exists]': 'false' }),
  });
  return request('GET', `${mediaPath(tenantId)}?${query}`, { signal });
}

export async function getMedia(tenantId: string, id: string, signal?: AbortSignal): Promise<MediaFile> {
  return (await request<{ data: MediaFile }>('GET', mediaPath(tenantId, id), { signal })).data;
}

export async function changeAlt(tenantId: string, id: string, alt: string): Promise<void> {
  await request('PATCH', mediaPath(tenantId, id), { body: { alt } });
}

/** Throws a 409 while entries use the file, unless it is to be deleted although they do. */
export async function deleteMedia(tenantId: string, id: string, isForced: boolean): Promise<void> {
  await request('DELETE', `${mediaPath(tenantId, id)}${isForced ? '?force=true' : ''}`);
}

export function listMediaUses(
  tenantId: string,
  id: string,
  cursor: string,
  signal?: AbortSignal,
): Promise<MediaUsePage> {
  const query = new URLSearchParams({ cursor, per_page: '25' });
  return request('GET', `${mediaPath(tenantId, id)}/usage?${query}`, { signal });
}

/** The uses of a file that can be counted as entries, and the number of all. */
export async function countMediaUses(
  tenantId: string,
  id: string,
  signal?: AbortSignal,
): Promise<{ readonly total: number; readonly entries: number }> {
  const path = `${mediaPath(tenantId, id)}/usage?page=1&per_page=100`;
  const { data, meta } = await request<{ data: readonly MediaUse[]; meta: { total: number } }>('GET', path, { signal });
  return { total: meta.total, entries: new Set(data.map(({ entry_id }) => entry_id)).size };
}

interface UploadOptions {
  readonly file: File;
  readonly signal: AbortSignal;
  readonly onProgress: (share: number) => void;
}

export async function uploadMedia(tenantId: string, { file, signal, onProgress }: UploadOptions): Promise<MediaFile> {
  const body = new FormData();
  body.append('file', file);
  const text = await upload(mediaPath(tenantId), { body, signal, onProgress });
  return (JSON.parse(text) as { data: MediaFile }).data;
}

/** The URL of a small copy of a picture, signed where the tenant wants that. */
export async function variantUrl(
  tenantId: string,
  id: string,
  size: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<string> {
  const path = `${mediaPath(tenantId, id)}/variant-url?${new URLSearchParams(size)}`;
  return (await request<{ data: { url: string } }>('GET', path, { signal })).data.url;
}
