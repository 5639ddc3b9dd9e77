import { request } from './request';

interface EventType {
  readonly type: string;
  readonly description: string;
}

export interface TenantEvent {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  /** Null if it was erased. */
  readonly data: Readonly<Record<string, unknown>> | null;
}

export async function listEventTypes(signal?: AbortSignal): Promise<readonly EventType[]> {
  return (await request<{ data: EventType[] }>('GET', '/v1/event-types', { signal })).data;
}
