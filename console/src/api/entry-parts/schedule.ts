import { type EntryAddress, entryPath } from '../entry';
import { ApiProblem } from '../problem';
import { request } from '../request';

export interface ScheduleBody {
  readonly publish_at?: string;
  readonly unpublish_at?: string;
  /** The codes of the languages that it is for. Without them, it is for the whole entry. */
  readonly locales?: readonly string[];
}

/** When an entry is published and unpublished by itself. */
export interface Schedule extends ScheduleBody {
  readonly state: 'pending' | 'failed';
  /** Why the earlier time could not be carried out. */
  readonly problem?: { readonly detail: string; readonly errors?: readonly { readonly message: string }[] };
}

/** A schedule in the list of the tenant. */
export interface ListedSchedule extends Schedule {
  readonly entry_id: string;
  readonly content_type_id: string;
}

interface SchedulePage {
  readonly data: readonly ListedSchedule[];
  readonly meta: { readonly next_cursor: string | null };
}

/** Schedules that are looked through. */
const PER_PAGE = 100;

/**
 * Null if nothing is scheduled. That is a 404, which browsers report as an error of the page, so the schedules of the tenant are looked through
 * first.
 */
export async function getSchedule(address: EntryAddress, signal?: AbortSignal): Promise<Schedule | null> {
  const { data, meta } = await listSchedules(address.tenantId, PER_PAGE, signal);
  const found = data.find(({ entry_id: id }) => id === address.id);
  if (found || meta.next_cursor === null) return found ?? null;
  return getOwnSchedule(address, signal);
}

/** The schedules of all entries, by their next times. */
export function listSchedules(tenantId: string, perPage: number, signal?: AbortSignal): Promise<SchedulePage> {
  const query = new URLSearchParams({ cursor: '', per_page: String(perPage) });
  return request('GET', `/v1/content/${encodeURIComponent(tenantId)}/schedule?${query}`, { signal });
}

async function getOwnSchedule(address: EntryAddress, signal?: AbortSignal): Promise<Schedule | null> {
  try {
    return (await request<{ data: Schedule }>('GET', schedulePath(address), { signal })).data;
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) return null;
    throw error;
  }
}

export async function putSchedule(address: EntryAddress, body: ScheduleBody): Promise<Schedule> {
  return (await request<{ data: Schedule }>('PUT', schedulePath(address), { body })).data;
}

export async function deleteSchedule(address: EntryAddress): Promise<void> {
  await request('DELETE', schedulePath(address));
}

function schedulePath(address: EntryAddress): string {
  return `${entryPath(address)}/schedule`;
}
