import { localesPath } from './locales';
import { request } from './request';

/** The deletion of the values of a language that was removed, and how far it is. */
export interface LocalePurge {
  readonly id: string;
  readonly code: string;
  readonly state: 'running' | 'done';
  /** The numbers of those that have lost values until now. */
  readonly entries: number;
  readonly drafts: number;
  readonly versions: number;
}

/** Begins to delete the values of a language for good. If that goes on already, it is that purge. */
export async function purgeLocale(tenantId: string, code: string): Promise<LocalePurge> {
  const path = `${localesPath(tenantId)}/${encodeURIComponent(code)}?purge=true`;
  return (await request<{ data: LocalePurge }>('DELETE', path)).data;
}

/** A purge is known for a week after its end. */
export async function getLocalePurge(tenantId: string, id: string, signal?: AbortSignal): Promise<LocalePurge> {
  const path = `${localesPath(tenantId)}/purges/${encodeURIComponent(id)}`;
  return (await request<{ data: LocalePurge }>('GET', path, { signal })).data;
}
