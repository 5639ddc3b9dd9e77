import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { TenantEvent } from './events';
import { download } from './request';

interface StreamOptions {
  /** Only events of these types; all of them if it is empty. */
  readonly types: readonly string[];
  /** The last event that arrived, so that none is missed. */
  readonly lastId?: string;
  readonly signal: AbortSignal;
  readonly onOpen: () => void;
  readonly onEvent: (event: TenantEvent) => void;
  /** Called with what names the place in the stream, at each event and every 15 seconds. */
  readonly onId: (id: string) => void;
}

/** Reads the events of the tenant as they happen. Resolves when the service ends the stream. Throws an ApiProblem. */
export async function readEventStream(tenantId: string, options: StreamOptions): Promise<void> {
  const { types, lastId, signal, onOpen, onEvent, onId } = options;
  const query = types.length > 0 ? `?${new URLSearchParams({ types: types.join(',') })}` : '';
  const response = await download(`/v1/events/${encodeURIComponent(tenantId)}${query}`, signal, {
    Accept: 'text/event-stream',
    ...(lastId !== undefined && { 'Last-Event-ID': lastId }),
  });
  onOpen();
  const messages = response.body?.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  const reader = messages?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done || !value) return;
    if (value.id !== undefined) onId(value.id);
    if (value.data !== '') onEvent(JSON.parse(value.data) as TenantEvent);
  }
}
